import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { JobPause } from "#lib/search-index/queries.ts";
import type { Scope } from "#lib/scope.ts";
import { runsStartedHere } from "./started-runs.ts";
import { UNANSWERED_RESULT, useSellerAction, type ActionResult } from "./use-action.tsx";

// Milliseconds between two steps, which leave capacity at the service for other requests.
const STEP_DELAY_MS = 100;

interface RunnerState {
  isDriving: boolean;
  /** Why the run waits or has ended. */
  pause: JobPause | null;
}

const STOPPED: RunnerState = { isDriving: false, pause: null };

interface SteppedRun<Step> {
  id: string;
  /** Runs the next step; after a lost answer, that step finds out what was done. */
  takeStep: () => Promise<ActionResult<Step>>;
  tell: (step: Step) => void;
  /** Refetches what the run changed, after it ends here. */
  settle: () => void;
}

/**
 * Advances a stored run step by step, as long as its page is open; a run that this tab started continues
 * without asking.
 */
export function useStepRunner<Step extends { pause: JobPause | null }>(run: SteppedRun<Step>) {
  const { id } = run;
  const [state, setState] = useState(STOPPED);
  const drive = useRef<AbortController>(undefined);

  async function start() {
    if (drive.current && !drive.current.signal.aborted) return;
    const controller = new AbortController();
    drive.current = controller;
    runsStartedHere.add(id);
    setState({ isDriving: true, pause: null });
    const pause = await driveRun(run, controller.signal, (waiting) =>
      setState({ isDriving: true, pause: waiting }),
    );
    if (controller.signal.aborted) return;
    controller.abort();
    runsStartedHere.delete(id);
    setState({ isDriving: false, pause });
    run.settle();
  }

  function stop() {
    drive.current?.abort();
    runsStartedHere.delete(id);
    setState(STOPPED);
    run.settle();
  }

  const first = useRef(start);
  const leave = useEffectEvent(() => {
    if (!drive.current || drive.current.signal.aborted) return;
    drive.current.abort();
    // The changed records appear in lists and runs, so both are refetched.
    run.settle();
  });
  useEffect(() => {
    if (runsStartedHere.has(id)) void first.current();
    return () => leave();
  }, [id]);

  return { ...state, start: () => void start(), stop };
}

interface ChangedRun {
  id: string;
  drive: Pick<ReturnType<typeof useStepRunner>, "start" | "stop">;
  refetch: () => Promise<unknown>;
}

type RunChange = "pause" | "continue" | "close" | "retry";

/** Changes a run: pausing stops every tab that works on it; continuing starts this tab. */
export function useRunChange(
  action: (
    scope: Scope,
    input: { id: string; change: RunChange },
  ) => Promise<ActionResult<unknown>>,
  { id, drive, refetch }: ChangedRun,
) {
  const { run: send, isPending, failure } = useSellerAction(action);

  async function change(wanted: RunChange) {
    if (wanted === "pause") drive.stop();
    const done = await send({ id, change: wanted });
    await refetch();
    if (done && (wanted === "continue" || wanted === "retry")) drive.start();
  }

  return { change, isPending, failure };
}

async function driveRun<Step extends { pause: JobPause | null }>(
  { takeStep, tell }: SteppedRun<Step>,
  signal: AbortSignal,
  wait: (pause: JobPause | null) => void,
): Promise<JobPause> {
  while (!signal.aborted) {
    const result = await takeStep().catch(() => UNANSWERED_RESULT);
    if (!result.ok) return { kind: "stopped", failure: result.failure };
    tell(result.value);
    const { pause } = result.value;
    if (pause && pause.kind !== "wait") return pause;
    if (pause && !signal.aborted) wait(pause);
    await waitUnlessAborted(pause ? pause.seconds * 1_000 : STEP_DELAY_MS, signal);
    if (pause && !signal.aborted) wait(null);
  }
  return { kind: "paused" };
}

/** Waits for a time in milliseconds, or until the signal aborts. */
export function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
