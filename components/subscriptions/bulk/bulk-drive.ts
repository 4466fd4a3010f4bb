import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { waitUnlessAborted as sleep } from "#components/shell/pause.ts";
import { useScope } from "#components/context/seller-context.tsx";
import { UNANSWERED_RESULT } from "#components/forms/use-action.tsx";
import type { Scope } from "#lib/scope.ts";
import type { JobPause } from "#lib/search-index/queries.ts";
import { stepBulkRunAction } from "#lib/subscriptions/bulk/actions.ts";
import { bulkRunQuery, type BulkItem, type BulkStep } from "#lib/subscriptions/bulk/queries.ts";
import { subscriptionsKey } from "#lib/subscriptions/queries.ts";
import { runsStartedHere } from "./started-runs.ts";

// Milliseconds between two steps, which leave capacity at the service for other requests.
const STEP_DELAY_MS = 100;

interface DriveState {
  isDriving: boolean;
  /** Why the run waits or has ended. */
  pause: JobPause | null;
}

const RESTING: DriveState = { isDriving: false, pause: null };

export function useBulkRunner(id: string) {
  const scope = useScope();
  const queryClient = useQueryClient();
  const [state, setState] = useState(RESTING);
  const drive = useRef<AbortController>(undefined);

  async function start() {
    if (drive.current && !drive.current.signal.aborted) return;
    const controller = new AbortController();
    drive.current = controller;
    runsStartedHere.add(id);
    setState({ isDriving: true, pause: null });
    const pause = await driveRun(scope, id, controller.signal, {
      tell: (item) => patchItem(queryClient, scope, id, item),
      wait: (waiting) => setState({ isDriving: true, pause: waiting }),
    });
    if (controller.signal.aborted) return;
    controller.abort();
    runsStartedHere.delete(id);
    setState({ isDriving: false, pause });
    void queryClient.invalidateQueries({ queryKey: subscriptionsKey(scope) });
  }

  function stop() {
    drive.current?.abort();
    runsStartedHere.delete(id);
    setState(RESTING);
    void queryClient.invalidateQueries({ queryKey: subscriptionsKey(scope) });
  }

  const first = useRef(start);
  useEffect(() => {
    if (runsStartedHere.has(id)) void first.current();
    return () => {
      if (!drive.current || drive.current.signal.aborted) return;
      drive.current.abort();
      // The changed records appear in lists and runs, so both are refetched.
      void queryClient.invalidateQueries({ queryKey: subscriptionsKey(scope) });
    };
  }, [id, queryClient, scope]);

  return { ...state, start: () => void start(), stop };
}

interface Listener {
  tell: (item: BulkItem) => void;
  wait: (pause: JobPause | null) => void;
}

async function driveRun(
  scope: Scope,
  id: string,
  signal: AbortSignal,
  { tell, wait }: Listener,
): Promise<JobPause> {
  while (!signal.aborted) {
    const { item, pause } = await takeStep(scope, id);
    if (item) tell(item);
    if (pause && pause.kind !== "wait") return pause;
    if (pause && !signal.aborted) wait(pause);
    await sleep(pause ? pause.seconds * 1_000 : STEP_DELAY_MS, signal);
    if (pause && !signal.aborted) wait(null);
  }
  return { kind: "paused" };
}

/**
 * Processes the next item. After a lost answer, the next step checks the item whose outcome is
 * unknown.
 */
async function takeStep(scope: Scope, id: string): Promise<BulkStep> {
  const result = await stepBulkRunAction(scope, { id }).catch(() => UNANSWERED_RESULT);
  if (result.ok) return result.value;
  return { item: null, pause: { kind: "stopped", failure: result.failure } };
}

function patchItem(queryClient: QueryClient, scope: Scope, id: string, item: BulkItem) {
  const { queryKey } = bulkRunQuery(scope, id);
  // An older response must not replace this one.
  void queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(
    queryKey,
    (view) =>
      view && {
        ...view,
        items: view.items.map((one) =>
          one.subscription_id === item.subscription_id ? item : one,
        ),
      },
  );
}
