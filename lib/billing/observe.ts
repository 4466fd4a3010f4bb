import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";

export type ListName = "products" | "customers" | "subscriptions";

/** What a response showed about a seller's records. */
export type ObservedRecords =
  | { kind: "rows"; list: ListName; records: readonly unknown[] }
  | { kind: "changed"; id: string }
  | { kind: "all_changed" }
  /** All records were replaced; ids may be used again. */
  | { kind: "replaced" };

/** The search index that a response belongs to, and the time of the call by the database's clock. */
export interface ReadContext {
  index_version: string;
  asked_at: string;
}

type Observe = (owner: KeyOwner, observed: ObservedRecords, context: ReadContext) => void;

// On globalThis: start-up and the request bundle each load this file.
const shared = globalThis as typeof globalThis & { duebookObserve?: Observe };

/** Sets the function that receives the records in responses to users' calls. */
export function observeCalls(observe: Observe): void {
  shared.duebookObserve = observe;
}

export const getCallObserver = (): Observe | undefined => shared.duebookObserve;
