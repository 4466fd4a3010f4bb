import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Asking, Told } from "#lib/billing/transport.ts";
import { digestOf } from "./digest.ts";

/** What a call told of a seller's records, on its way into their copy. */
export interface Passed {
  owner: KeyOwner;
  told: Told;
  asking: Asking;
}

/**
 * Leaves records out that another answer among these repeats word for word and was asked for later:
 * that one says the same of a later moment. What differs stays, all of it in its order; nothing is
 * compared across what was told of other things than records.
 */
export function leaveOutRepeated(passed: readonly Passed[]): Passed[] {
  const kept: Passed[] = [];
  const seen = new Map<string, number>();
  for (const one of passed.toReversed()) {
    const { owner, told, asking } = one;
    if (told.kind !== "rows") {
      seen.clear();
      kept.push(one);
      continue;
    }
    const whose = [owner.seller_id, owner.mode, asking.copy, told.list].join(":");
    const asked = Date.parse(asking.asked_at);
    const records = told.records.filter((record) => {
      const key = whose + digestOf(record);
      const known = seen.get(key);
      // Not a number is neither: then it is written.
      if (known !== undefined && known > asked) return false;
      seen.set(key, asked);
      return true;
    });
    if (records.length > 0) kept.push({ ...one, told: { ...told, records } });
  }
  return kept.toReversed();
}
