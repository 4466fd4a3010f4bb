/** By what a billing date came to be the day that it is; null where nobody here saw it. */
export type Reached =
  { by: "payment" } | { by: "move"; name: string | null; is_own: boolean } | null;

/** Somebody here moved the date; days are YYYY-MM-DD, moments ISO. */
export interface Move {
  at: string;
  before: string | null;
  after: string | null;
  name: string | null;
  is_own: boolean;
}

export interface Known {
  /** The last payment in the ledger of the period that runs; `to` is null where nobody saw where it led. */
  proven: { at: string; to: string | null } | null;
  /** The last payment that the copy saw, and the day that it led to. */
  seen: { at: string; to: string | null } | null;
  /** Oldest first. */
  moves: readonly Move[];
}

/** A payment leads on to a later day: one that somebody moved it to is theirs, unless they moved it back. */
export function howReached(day: string, { proven, seen, moves }: Known): Reached {
  const last = moves.at(-1);
  if (last?.after === day) {
    const sincePayment = proven ? moves.find(({ at }) => isAfter(at, proven.at)) : undefined;
    const isBack =
      sincePayment?.before === day ||
      (seen !== null && seen.to === day && isAfter(last.at, seen.at));
    return isBack ? { by: "payment" } : { by: "move", name: last.name, is_own: last.is_own };
  }
  if (seen?.to === day) return { by: "payment" };
  // One that the copy saw led to the day above, and no further.
  if (proven === null || (seen && !isAfter(proven.at, seen.at))) return null;
  const isProven =
    proven.to === null ? !(last && isAfter(last.at, proven.at)) : proven.to === day;
  return isProven ? { by: "payment" } : null;
}

const isAfter = (one: string, other: string) => Date.parse(one) > Date.parse(other);
