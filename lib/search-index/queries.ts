import { queryOptions } from "@tanstack/react-query";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { Failure } from "#lib/failure.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";

/** How much of a list is in the index. */
export interface ListProgress {
  list: "products" | "customers" | "subscriptions";
  /** Rows read by the full sync under way, or by the last one. */
  read: number;
  /** Null if unknown. */
  total: number | null;
  is_syncing: boolean;
}

export interface IndexSettings {
  state: "waiting" | "filling" | "ready";
  /** ISO 8601; the last incremental sync. */
  read_at: string | null;
  lists: ListProgress[];
  /** Why the sync waits. */
  failure: Failure | null;
  /** URL for webhooks; null while no key is connected. */
  hint_url: string | null;
}

const MOVING_MS = 1_500;
const RESTING_MS = 15_000;

export const indexQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "copy"] as const,
    queryFn: ({ signal }) =>
      fetchJson<IndexSettings>(apiPath(scope, "/connection/copy"), signal),
    refetchInterval: (query) => refetchEvery(pauseOf(query.state.data))(query),
  });

function pauseOf(data: IndexSettings | undefined): number | false {
  const isMoving = data?.state !== "ready" || data.lists.some((one) => one.is_syncing);
  return isMoving ? MOVING_MS : RESTING_MS;
}
