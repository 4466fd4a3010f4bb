import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { pause } from "#components/shell/pause.ts";
import { useScope } from "#components/context/seller-context.tsx";
import { useSellerAction } from "#components/forms/use-action.ts";
import {
  pauseCheckAction,
  repairCheckAction,
  startCheckAction,
  stepCheckAction,
} from "#lib/search-index/compare/actions.ts";
import { reconciliationQuery, type Halt } from "#lib/search-index/compare/queries.ts";
import type { Reach } from "#lib/search-index/compare/differences.ts";

/** Leaves the service room for everybody else. */
const PACE_MS = 50;

interface Driving {
  isDriving: boolean;
  /** What it waits for, or why it ended. */
  halt: Halt | null;
}

const RESTING: Driving = { isDriving: false, halt: null };

/** Takes a comparison from step to step for as long as its page is open. */
export function useCheck() {
  const scope = useScope();
  const queryClient = useQueryClient();
  const query = reconciliationQuery(scope);
  const [state, setState] = useState(RESTING);
  const drive = useRef<AbortController>(undefined);
  const starting = useSellerAction(startCheckAction);
  const repairing = useSellerAction(repairCheckAction);
  const pausing = useSellerAction(pauseCheckAction);
  useEffect(() => () => drive.current?.abort(), []);

  const look = () => queryClient.fetchQuery({ ...query, staleTime: 0 });

  async function work() {
    if (drive.current && !drive.current.signal.aborted) return;
    const controller = new AbortController();
    const { signal } = controller;
    drive.current = controller;
    setState({ isDriving: true, halt: null });
    const view = await look().catch(() => null);
    const id = view?.open?.id;
    let halt: Halt | null = id === undefined ? { kind: "finished" } : null;
    while (id !== undefined && !signal.aborted) {
      halt = await step(id);
      if (signal.aborted || (halt && halt.kind !== "wait")) break;
      setState({ isDriving: true, halt });
      await pause(halt ? halt.seconds * 1_000 : PACE_MS, signal);
    }
    if (signal.aborted) return;
    controller.abort();
    setState({ isDriving: false, halt });
  }

  async function step(id: string): Promise<Halt | null> {
    const result = await stepCheckAction(scope, { id }).catch(() => null);
    if (!result) return { kind: "stopped", failure: { kind: "unanswered" } };
    if (!result.ok) return { kind: "stopped", failure: result.failure };
    // An older reading that is still on its way must not come out on top.
    void queryClient.cancelQueries({ queryKey: query.queryKey });
    queryClient.setQueryData(query.queryKey, result.value.view);
    return result.value.halt;
  }

  return {
    ...state,
    failure: starting.failure ?? repairing.failure ?? pausing.failure,
    isStarting: starting.isPending,
    isRepairing: repairing.isPending,
    isPausing: pausing.isPending,
    start: async (reach: Reach) => {
      if (await starting.run({ reach })) await work();
    },
    repair: async (id: string, how: "records" | "everything") => {
      if (await repairing.run({ id, how })) await work();
    },
    stop: async (id: string) => {
      drive.current?.abort();
      setState(RESTING);
      await pausing.run({ id, is_paused: true });
      await look().catch(() => null);
    },
    goOn: async (id: string) => {
      if (await pausing.run({ id, is_paused: false })) await work();
    },
  };
}

export type Drive = ReturnType<typeof useCheck>;
