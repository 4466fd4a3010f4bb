import { useRef, useState } from "react";
import type { Failure } from "#lib/failure.ts";

type Result<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

export interface FormStep<Value> {
  key: string;
  label: string;
  run: () => Promise<Result<Value>>;
}

export type StepState<Value> =
  | { state: "waiting" | "running" | "unsent" }
  | { state: "done"; value: Value }
  | { state: "failed"; failure: Failure };

export interface StepReport<Value> extends Pick<FormStep<Value>, "key" | "label"> {
  outcome: StepState<Value>;
  /** Set only if the step failed. */
  retry?: () => void;
}

/**
 * Runs calls one after the other and reports each. A failed call does not stop the others and can be
 * retried alone.
 * @param onSettled called after each run, also of a single step
 * @param endsAll whether a failure applies to all calls, so that the rest is not sent
 */
export function useSteps<Value>(
  onSettled?: () => Promise<void>,
  endsAll: (failure: Failure) => boolean = () => false,
) {
  const [steps, setSteps] = useState<FormStep<Value>[]>([]);
  const [outcomes, setOutcomes] = useState<Record<string, StepState<Value>>>({});
  const [isRunning, setRunning] = useState(false);
  // A ref, because state would update too late for a double click.
  const isUnderWay = useRef(false);

  const note = (key: string, outcome: StepState<Value>) =>
    setOutcomes((before) => ({ ...before, [key]: outcome }));

  async function runSteps(wanted: FormStep<Value>[]) {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setRunning(true);
    for (const { key } of wanted) note(key, { state: "waiting" });
    let isOver = false;
    for (const { key, run } of wanted) {
      note(key, { state: isOver ? "unsent" : "running" });
      if (isOver) continue;
      const outcome = outcomeOf(await run().catch(() => UNANSWERED));
      note(key, outcome);
      isOver = outcome.state === "failed" && endsAll(outcome.failure);
    }
    await onSettled?.();
    isUnderWay.current = false;
    setRunning(false);
  }

  const reports = steps.map(({ key, label, run }): StepReport<Value> => {
    const outcome = outcomes[key] ?? { state: "waiting" };
    const retry = () => void runSteps([{ key, label, run }]);
    return { key, label, outcome, ...(outcome.state === "failed" && !isRunning && { retry }) };
  });
  return {
    isRunning,
    reports,
    hasBegun: steps.length > 0,
    isDone: steps.length > 0 && reports.every(({ outcome }) => outcome.state === "done"),
    /** Clears the results, for new input. */
    clear: () => setSteps([]),
    start: (wanted: FormStep<Value>[]) => {
      if (isUnderWay.current) return;
      setSteps(wanted);
      void runSteps(wanted);
    },
  };
}

const UNANSWERED = { ok: false, failure: { kind: "unanswered" } } as const;

function outcomeOf<Value>(result: Result<Value>): StepState<Value> {
  return result.ok
    ? { state: "done", value: result.value }
    : { state: "failed", failure: result.failure };
}
