import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { ObservedRecords, ReadContext } from "#lib/billing/observe.ts";
import { digestOf } from "./digest.ts";

/** Records that an API call returned, on their way into the index. */
export interface Observation {
  owner: KeyOwner;
  observed: ObservedRecords;
  context: ReadContext;
}

/**
 * Drops records that a later answer among these repeats unchanged. Different versions stay in order;
 * answers of other kinds separate the groups that are compared.
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
      // An unknown time compares as false, so the record is written.
      if (known !== undefined && known > asked) return false;
      seen.set(key, asked);
      return true;
    });
    if (records.length > 0) kept.push({ ...one, observed: { ...observed, records } });
  }
  return kept.toReversed();
}
