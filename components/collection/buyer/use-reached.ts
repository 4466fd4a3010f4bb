import { useState } from "react";
import { useSeller } from "#components/context/seller-context.tsx";
import type { DeskEntry } from "#lib/collection/queries.ts";
import { needsWarning } from "#lib/collection/rules.ts";
import type { Acts } from "#components/collection/queue/use-acts.ts";
import { useDeskNow } from "#components/collection/queue/use-desk-now.ts";

/** Whether somebody has just written to this buyer, so that one more message is to be meant. */
export function useReached({ contacted }: DeskEntry, { overtaken }: Acts) {
  const { person } = useSeller();
  const now = useDeskNow();
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const lastId = overtaken?.id ?? contacted.last?.id ?? null;
  const isWarned = overtaken !== null || needsWarning(contacted.last, now);
  // Of what a colleague did meanwhile the press before this one has told.
  const isMeant = !isWarned || overtaken !== null || confirmed === lastId;
  return {
    lastId,
    isWarned,
    isMeant,
    overtaken,
    isOwn: overtaken === null && contacted.last?.person.id === person,
    /** The first press beside somebody's fresh message says so; the second one means it. */
    holdUp(): boolean {
      if (isMeant) return false;
      setConfirmed(lastId);
      return true;
    },
  };
}

export type Reached = ReturnType<typeof useReached>;
