import { useState } from "react";
import { useSeller } from "#components/context/seller-context.tsx";
import type { QueueEntry } from "#lib/collection/queries.ts";
import { isRecentlyContacted } from "#lib/collection/rules.ts";
import type { ContactActions } from "#components/collection/state/use-contact-actions.ts";
import { useServiceNow } from "#components/collection/state/use-service-now.ts";

/** Warns if the buyer was contacted just before, and asks for a second press. */
export function useDuplicateWarning({ contacted }: QueueEntry, { overtaken }: ContactActions) {
  const { person } = useSeller();
  const now = useServiceNow();
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const lastId = overtaken?.id ?? contacted.last?.id ?? null;
  const isWarned = overtaken !== null || isRecentlyContacted(contacted.last, now);
  // After a conflict the previous press already showed the warning.
  const isMeant = !isWarned || overtaken !== null || confirmed === lastId;
  return {
    lastId,
    isWarned,
    isMeant,
    overtaken,
    isOwn: overtaken === null && contacted.last?.person.id === person,
    /** The first press shows the warning; the second one sends. */
    holdUp(): boolean {
      if (isMeant) return false;
      setConfirmed(lastId);
      return true;
    },
  };
}

export type DuplicateWarning = ReturnType<typeof useDuplicateWarning>;
