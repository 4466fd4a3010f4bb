import { useEffect, useRef, useState } from "react";
import { forgetDraft, recallDraft, saveDraft } from "#components/layout/draft-memory.ts";
import { useSeller } from "#components/layout/seller-context.tsx";
import {
  beginPreparing,
  nextOf,
  passOne,
  readPreparing,
  takeUp,
  type Chosen,
  type Outcome,
  type Preparing,
} from "#lib/collection/preparing/rules.ts";

/** Messages to several buyers, one after the other: kept in this tab until somebody is through or leaves it. */
export function usePreparing() {
  const { person, scope } = useSeller();
  const key = useRef({
    person,
    form: `collection.preparing.${scope.seller}.${scope.mode}`,
  });
  const [run, setRun] = useState<Preparing | null>(null);
  useEffect(() => {
    // After hydration, because only this browser knows it.
    setRun(readPreparing(recallDraft(key.current)?.content));
  }, []);

  function set(next: Preparing | null) {
    setRun(next);
    if (next) saveDraft(key.current, next);
    else forgetDraft(key.current);
    return next && (nextOf(next)?.id ?? null);
  }

  return {
    run,
    /** Who is next; null at the end, and where nothing is prepared. */
    next: run && nextOf(run),
    /** @returns whose message is first */
    begin: (buyers: readonly Chosen[]) => set(beginPreparing(buyers)),
    /** @returns who is next, null at the end */
    pass: (id: string, outcome: Outcome) => run && set(passOne(run, id, outcome)),
    takeUp: (id: string) => run?.buyers.some((one) => one.id === id) && set(takeUp(run, id)),
    pause: (isPaused: boolean) => run && set({ ...run, isPaused }),
    end: () => set(null),
  };
}
