import { apiPath, type Scope } from "#lib/scope.ts";

/** An event for browsers, with ids only. */
export interface LiveEvent {
  /**
   * `delivery`: a verified webhook. `change`: the search index saw records change. `write`: a
   * member changed something. `refresh`: events may have been missed. Other kinds name what
   * changed.
   */
  kind: "delivery" | "change" | "write" | "refresh" | "collection" | "proofs" | "notifications";
  /** Subscription ids; null if there are too many, or the event names none. */
  ids: string[] | null;
  /** The event of a delivery. */
  event: string | null;
  /** The noun of a write, as in the audit log. */
  noun: string | null;
}

/** Event name: the database connection is lost for now. */
export const STREAM_PAUSED_EVENT = "paused";
/** Event name: the session or its permission has ended. */
export const SESSION_OVER_EVENT = "over";

/**
 * @param since ISO; events since then are sent at once
 * @param after the id of the previous stream's last message, which is more exact
 */
export const livePath = (scope: Scope, since: string, after: string | null): string =>
  `${apiPath(scope, "/live")}?${new URLSearchParams({ since, ...(after !== null && { after }) })}`;
