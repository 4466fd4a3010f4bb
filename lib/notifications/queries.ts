import { queryOptions } from "@tanstack/react-query";
import type { Scope } from "#lib/scope.ts";
import { readRoute } from "#lib/query/fetch-json.ts";

export interface Notification {
  /** An id that is unique among the notifications. */
  key: string;
  kind: "paid" | "failed" | "ended" | "seen_paid" | "promised";
  at: string;
  subscription_id: string;
  /** The buyer's name in the search index; null if unknown. */
  buyer: string | null;
  is_unread: boolean;
}

export interface Notifications {
  /** The notifications, newest first. */
  latest: Notification[];
  unread: number;
  /** Whether older notifications were left out. */
  is_capped: boolean;
}

export const notificationsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "notifications"] as const,
    queryFn: readRoute<Notifications>(scope, "/notifications"),
  });

/** The parameter that asks for the number of unread notifications instead of the list. */
export const UNREAD = "unread";

// The key begins with the list's, so what refreshes the list refreshes the number.
export const unreadQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...notificationsQuery(scope).queryKey, "unread"] as const,
    queryFn: readRoute<number>(scope, `/notifications?${UNREAD}`),
  });
