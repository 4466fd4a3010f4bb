import { useEffect, useRef, useState } from "react";
import { forgetDraft, recallDraft, saveDraft } from "#components/forms/draft-memory.ts";
import { useSeller } from "#components/context/seller-context.tsx";
import {
  nextRecipient,
  outreachDraft,
  withRecipients,
  finishRecipient,
  clearRecipientOutcome,
  parseOutreach,
  reopenRecipient,
  type Recipient,
  type OutreachOutcome,
  type Outreach,
} from "#lib/collection/outreach.ts";

/**
 * An outreach, one buyer after the other; stored in this tab until the user leaves it or closes its
 * summary.
 */
export function useOutreach() {
  const { person, scope } = useSeller();
  const key = useRef(outreachDraft({ person, scope }));
  const [run, setRun] = useState<Outreach | null>(null);
  /** The current outreach, for answers that arrive after later renders. */
  const latest = useRef<Outreach | null>(null);
  useEffect(() => {
    // Read after hydration, because only the browser has the stored outreach.
    latest.current = parseOutreach(recallDraft(key.current)?.content);
    setRun(latest.current);
  }, []);

  function set(next: Outreach | null) {
    latest.current = next;
    setRun(next);
    if (next) saveDraft(key.current, next);
    else forgetDraft(key.current);
    return next && (nextRecipient(next)?.id ?? null);
  }
  const change = (how: (run: Outreach) => Outreach) =>
    latest.current && set(how(latest.current));

  return {
    run,
    /** The next recipient; null at the end or without an outreach. */
    next: run && nextRecipient(run),
    /** The current recipient's id; null while paused, at the end or without an outreach. */
    turn: () => {
      const now = latest.current;
      return now === null || now.isPaused ? null : (nextRecipient(now)?.id ?? null);
    },
    /**
     * Starts an outreach, or adds to one that is running.
     * @returns the id of the next recipient
     */
    begin: (buyers: readonly Recipient[]) => set(withRecipients(latest.current, buyers)),
    /** Sets a recipient's outcome. @returns the next recipient's id; null at the end */
    pass: (id: string, outcome: OutreachOutcome) =>
      change((now) => finishRecipient(now, id, outcome)),
    reopenRecipient: (id: string) => change((now) => reopenRecipient(now, id)),
    putBack: (id: string) => change((now) => clearRecipientOutcome(now, id)),
    /** Pauses or continues the outreach. @returns the next recipient's id */
    pause: (isPaused: boolean) => change((now) => ({ ...now, isPaused })),
    end: () => set(null),
  };
}
