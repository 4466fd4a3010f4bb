import { useTranslations } from "next-intl";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Circle, CircleAlert, CircleCheck, LoaderCircle } from "#components/ui/icons.tsx";
import { cn } from "#lib/cn.ts";
import type { Failure, FailureText } from "#lib/failure.ts";
import { UNANSWERED_RESULT, type ActionResult } from "./use-action.tsx";

const LOOKS = {
  waiting: { icon: Circle, className: "text-faint" },
  unsent: { icon: Circle, className: "text-faint" },
  running: { icon: LoaderCircle, className: "animate-spin text-muted" },
  done: { icon: CircleCheck, className: "text-active" },
  failed: { icon: CircleAlert, className: "text-danger" },
} as const;

interface StepListProps<Value> {
  label: string;
  steps: StepReport<Value>[];
  describe: (failure: Failure) => FailureText;
  /** Renders the result of a finished step, and the progress of a running or failed one. */
  children?: (value: Value, state: keyof typeof LOOKS) => ReactNode;
}

/** A sequence of calls with their results; failed ones show the reason and a retry button. */
export function StepList<Value>({ label, steps, describe, children }: StepListProps<Value>) {
  const t = useTranslations("layout.steps");
  return (
    <ul aria-label={label} aria-live="polite" className="grid gap-2">
      {steps.map(({ key, label: name, outcome, retry }) => (
        <li key={key} className="flex items-start gap-2">
          <StepIcon state={outcome.state} />
          <div className="min-w-0 flex-1">
            <p className="break-words">
              {name}
              <span className="sr-only">: {t(outcome.state)}</span>
            </p>
            {outcome.value !== undefined && (
              <div className="text-sm text-muted">
                {children?.(outcome.value, outcome.state)}
              </div>
            )}
            {outcome.state === "unsent" && (
              <p aria-hidden className="text-sm text-muted">
                {t("unsent")}
              </p>
            )}
            {outcome.state === "failed" && <FailedStep {...describe(outcome.failure)} />}
          </div>
          {retry && (
            <Button className="-my-1.5 shrink-0" onClick={retry}>
              {t.rich("retry", {
                step: name,
                unseen: (words) => <span className="sr-only">{words}</span>,
              })}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function StepIcon({ state }: { state: keyof typeof LOOKS }) {
  const { icon: Icon, className } = LOOKS[state];
  return <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", className)} />;
}

function FailedStep({ title, advice }: FailureText) {
  return (
    <p className="text-sm text-danger">
      {title} {advice}
    </p>
  );
}

interface FormStep<Value> {
  key: string;
  label: string;
  /** @param tell shows the progress of the call */
  run: (tell: (value: Value) => void) => Promise<ActionResult<Value>>;
}

type StepState<Value> =
  | { state: "waiting" | "running" | "unsent"; value?: Value | undefined }
  | { state: "done"; value: Value }
  | { state: "failed"; failure: Failure; value: Value | undefined };

interface StepReport<Value> extends Pick<FormStep<Value>, "key" | "label"> {
  outcome: StepState<Value>;
  /** Repeats the step; set only if it failed. */
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
      let value: Value | undefined;
      const result = await run((told) => {
        value = told;
        note(key, { state: "running", value });
      }).catch(() => UNANSWERED_RESULT);
      const outcome: StepState<Value> = result.ok
        ? { state: "done", value: result.value }
        : { state: "failed", failure: result.failure, value };
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
