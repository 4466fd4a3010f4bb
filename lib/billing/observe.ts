import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";

/** The record lists of the API. */
export type ListName = "products" | "customers" | "subscriptions";

/** What a call showed of a seller's records. */
export type ObservedRecords =
  | { kind: "rows"; list: ListName; records: readonly unknown[] }
  | { kind: "changed"; id: string }
  | { kind: "all_changed" }
  /** All records were replaced; ids may be used again. */
  | { kind: "replaced" };

/** The search index that an answer belongs to, and when the call was made, by the database's clock. */
export interface ReadContext {
  index_version: string;
  asked_at: string;
}

/** Neither waits nor throws. */
export type Observe = (
  owner: KeyOwner,
  observed: ObservedRecords,
  context: ReadContext,
) => void;

// On globalThis: start-up and the bundle that answers each load this file.
const shared = globalThis as typeof globalThis & { duebookObserve?: Observe };

/** Has `observe` told what the calls of users show. Set at start-up. */
export function observeCalls(observe: Observe): void {
  shared.duebookObserve = observe;
}

export const callObserver = (): Observe | undefined => shared.duebookObserve;
