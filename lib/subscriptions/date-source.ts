/** How a billing date came about; null if unknown. */
export type DateSource =
  { by: "payment" } | { by: "move"; name: string | null; is_own: boolean } | null;

/** A move of the date by a member; days are YYYY-MM-DD, moments ISO. */
export interface Move {
  at: string;
  before: string | null;
  after: string | null;
  name: string | null;
  is_own: boolean;
}

export interface KnownDates {
  /** The last verified payment of the current period; `to` is null if its new date was not seen. */
  proven: { at: string; to: string | null } | null;
  /** The last payment that the search index saw, and its new date. */
  seen: { at: string; to: string | null } | null;
  /** Oldest first. */
  moves: readonly Move[];
}

/**
 * A payment leads to a later date. If a member moved the date there, the move counts, unless it
 * undid an earlier move.
 */
export function findDateSource(day: string, { proven, seen, moves }: KnownDates): DateSource {
  const last = moves.at(-1);
  if (last?.after === day) {
    const sincePayment = proven ? moves.find(({ at }) => isAfter(at, proven.at)) : undefined;
    const isBack =
      sincePayment?.before === day ||
      (seen !== null && seen.to === day && isAfter(last.at, seen.at));
    return isBack ? { by: "payment" } : { by: "move", name: last.name, is_own: last.is_own };
  }
  if (seen?.to === day) return { by: "payment" };
  // A payment in the search index led to another day, and no later payment is known.
  if (proven === null || (seen && !isAfter(proven.at, seen.at))) return null;
  const isProven =
    proven.to === null ? !(last && isAfter(last.at, proven.at)) : proven.to === day;
  return isProven ? { by: "payment" } : null;
}

const isAfter = (one: string, other: string) => Date.parse(one) > Date.parse(other);
