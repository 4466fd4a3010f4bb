import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { useSellerAction } from "#components/forms/use-action.ts";
import { pause as sleep } from "#components/shell/pause.ts";
import { startCompareAction, stepCompareAction } from "#lib/search-index/compare/actions.ts";
import { comparisonsQuery, type Pause } from "#lib/search-index/compare/queries.ts";

/** Between two steps, so that other requests of the seller are not held up. */
const STEP_INTERVAL_MS = 50;

interface RunState {
  isRunning: boolean;
  /** What it waits for, or why it ended. */
  pause: Pause | null;
}

const IDLE: RunState = { isRunning: false, pause: null };

/** Takes a comparison from step to step for as long as its page is open. */
export function useCompare() {
  const scope = useScope();
  const queryClient = useQueryClient();
  const query = comparisonsQuery(scope);
  const [state, setState] = useState(IDLE);
  const running = useRef<AbortController>(undefined);
  const starting = useSellerAction(startCompareAction);
  useEffect(() => () => running.current?.abort(), []);

  async function run() {
    if (running.current && !running.current.signal.aborted) return;
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setState({ isRunning: true, pause: null });
    const view = await queryClient.fetchQuery({ ...query, staleTime: 0 }).catch(() => null);
    const id = view?.open?.id;
    let pause: Pause | null = id === undefined ? { kind: "finished" } : null;
    while (id !== undefined && !signal.aborted) {
      pause = await step(id);
      if (signal.aborted || (pause && pause.kind !== "wait")) break;
      setState({ isRunning: true, pause });
      await sleep(pause ? pause.seconds * 1_000 : STEP_INTERVAL_MS, signal);
    }
    if (signal.aborted) return;
    controller.abort();
    setState({ isRunning: false, pause });
  }

  async function step(id: string): Promise<Pause | null> {
    const result = await stepCompareAction(scope, { id }).catch(() => null);
    if (!result) return { kind: "stopped", failure: { kind: "unanswered" } };
    if (!result.ok) return { kind: "stopped", failure: result.failure };
    // An older answer that is still on its way must not replace this one.
    void queryClient.cancelQueries({ queryKey: query.queryKey });
    queryClient.setQueryData(query.queryKey, result.value.comparisons);
    return result.value.pause;
  }

  return {
    ...state,
    failure: starting.failure,
    isStarting: starting.isPending,
    start: async () => {
      if (await starting.run({})) await run();
    },
    resume: run,
    stop: () => {
      running.current?.abort();
      setState(IDLE);
    },
  };
}

export type CompareRun = ReturnType<typeof useCompare>;
