import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { ObservedRecords, ReadContext } from "#lib/billing/observe.ts";
import { digestOf } from "./digest.ts";

/** What a call observed of a seller's records, on its way into their copy. */
export interface Observation {
  owner: KeyOwner;
  observed: ObservedRecords;
  context: ReadContext;
}

/**
 * Leaves records out that another answer among these repeats word for word and was asked for later:
 * that one says the same of a later moment. What differs stays, all of it in its order; nothing is
 * compared across what was observed of other things than records.
 */
export function dropRepeated(passed: readonly Observation[]): Observation[] {
  const kept: Observation[] = [];
  const seen = new Map<string, number>();
  for (const one of passed.toReversed()) {
    const { owner, observed, context } = one;
    if (observed.kind !== "rows") {
      seen.clear();
      kept.push(one);
      continue;
    }
    const whose = [owner.seller_id, owner.mode, context.index_version, observed.list].join(":");
    const asked = Date.parse(context.asked_at);
    const records = observed.records.filter((record) => {
      const key = whose + digestOf(record);
      const known = seen.get(key);
      // Not a number is neither: then it is written.
      if (known !== undefined && known > asked) return false;
      seen.set(key, asked);
      return true;
    });
    if (records.length > 0) kept.push({ ...one, observed: { ...observed, records } });
  }
  return kept.toReversed();
}
