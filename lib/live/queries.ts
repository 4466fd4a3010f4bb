import { apiPath, type Scope } from "#lib/scope.ts";

/** What a browser is told; ids alone, and what they are about it asks for itself. */
export interface LiveEvent {
  /**
   * `delivery`: a verified webhook. `change`: the copy saw records change or arrive. `write`: somebody
   * did something here. `refresh`: something may have been missed. Other nouns tell of their own.
   */
  kind: "delivery" | "change" | "write" | "refresh" | "collection" | "proofs" | "notifications";
  /** Of subscriptions; null when they are too many to name. */
  ids: string[] | null;
  /** Of a delivery: which kind of event. */
  event: string | null;
  /** Of a write: what was written, as the record names it. */
  noun: string | null;
}

/** Beside messages: the stream is there, but the database cannot be listened to for now. */
export const PAUSED = "paused";
/** The session ended, or what it may see: no other stream is given. */
export const OVER = "over";

/**
 * @param since ISO; what was told since then comes at once
 * @param after the id of the last message of a stream before, which says it better; null for none
 */
export const livePath = (scope: Scope, since: string, after: string | null): string =>
  `${apiPath(scope, "/live")}?${new URLSearchParams({ since, ...(after !== null && { after }) })}`;
