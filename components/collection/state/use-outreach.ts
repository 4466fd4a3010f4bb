import { useEffect, useRef, useState } from "react";
import { forgetDraft, recallDraft, saveDraft } from "#components/forms/draft-memory.ts";
import { useSeller } from "#components/context/seller-context.tsx";
import {
  addRecipients,
  startOutreach,
  nextOf,
  finishRecipient,
  putBack,
  parseOutreach,
  reopenRecipient,
  type Recipient,
  type OutreachOutcome,
  type Outreach,
} from "#lib/collection/outreach.ts";

/** Messages to several buyers, one after the other: kept in this tab until somebody is through or leaves it. */
export function useOutreach() {
  const { person, scope } = useSeller();
  const key = useRef({
    person,
    form: `collection.preparing.${scope.seller}.${scope.mode}`,
  });
  const [run, setRun] = useState<Outreach | null>(null);
  /** An answer may come long after the press: it goes on from the run as it is by then. */
  const latest = useRef<Outreach | null>(null);
  useEffect(() => {
    // After hydration, because only this browser knows it.
    latest.current = parseOutreach(recallDraft(key.current)?.content);
    setRun(latest.current);
  }, []);

  function set(next: Outreach | null) {
    latest.current = next;
    setRun(next);
    if (next) saveDraft(key.current, next);
    else forgetDraft(key.current);
    return next && (nextOf(next)?.id ?? null);
  }
  const change = (how: (run: Outreach) => Outreach) =>
    latest.current && set(how(latest.current));
  const isWaiting = () => latest.current !== null && nextOf(latest.current) !== null;

  return {
    run,
    /** Who is next; null at the end, and where nothing is prepared. */
    next: run && nextOf(run),
    /** Whose turn it is now, whatever was rendered; null while it pauses. */
    turn: () => {
      const now = latest.current;
      return now === null || now.isPaused ? null : (nextOf(now)?.id ?? null);
    },
    /** Those who still wait from before are not lost. @returns whose message is first */
    begin: (buyers: readonly Recipient[]) =>
      isWaiting() ? change((now) => addRecipients(now, buyers)) : set(startOutreach(buyers)),
    /** @returns who is next, null at the end */
    pass: (id: string, outcome: OutreachOutcome) =>
      change((now) => finishRecipient(now, id, outcome)),
    reopenRecipient: (id: string) => change((now) => reopenRecipient(now, id)),
    putBack: (id: string) => change((now) => putBack(now, id)),
    /** @returns who is next */
    pause: (isPaused: boolean) => change((now) => ({ ...now, isPaused })),
    end: () => set(null),
  };
}
