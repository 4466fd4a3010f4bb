import { queryOptions } from "@tanstack/react-query";
import { apiPath, type Scope } from "#lib/scope.ts";
import { fetchJson } from "#lib/query/client.ts";

export interface Notification {
  /** Unique per notification. */
  key: string;
  kind: "paid" | "failed" | "ended" | "seen_paid" | "promised";
  at: string;
  subscription_id: string;
  /** From the search index; null if unknown. */
  buyer: string | null;
  is_unread: boolean;
}

export interface Notifications {
  /** Newest first. */
  latest: Notification[];
  unread: number;
  /** Older ones are left out. */
  is_capped: boolean;
}

export const notificationsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "notifications"] as const,
    queryFn: ({ signal }) => fetchJson<Notifications>(apiPath(scope, "/notifications"), signal),
  });
