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
  /** When a verified delivery last told of a payment of the period that runs. */
  proven_at: string | null;
  /** The last payment that the copy saw, and the day that it led to. */
  seen: { at: string; to: string | null } | null;
  /** Oldest first. */
  moves: readonly Move[];
}

/** A payment leads on to a later day: one that somebody moved it to is theirs, unless they moved it back. */
export function howReached(day: string, { proven_at, seen, moves }: Known): Reached {
  const last = moves.at(-1);
  if (last?.after === day) {
    const sinceProof =
      proven_at === null ? undefined : moves.find(({ at }) => isAfter(at, proven_at));
    const isBack =
      sinceProof?.before === day ||
      (seen !== null && seen.to === day && isAfter(last.at, seen.at));
    return isBack ? { by: "payment" } : { by: "move", name: last.name, is_own: last.is_own };
  }
  if (seen?.to === day) return { by: "payment" };
  const isProven = proven_at !== null && !(last && isAfter(last.at, proven_at));
  return isProven ? { by: "payment" } : null;
}

const isAfter = (one: string, other: string) => Date.parse(one) > Date.parse(other);
