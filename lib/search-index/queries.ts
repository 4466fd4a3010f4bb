import { queryOptions } from "@tanstack/react-query";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { Failure } from "#lib/failure.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";

/** How far a list is copied. */
export interface ListProgress {
  list: "products" | "customers" | "subscriptions";
  /** Rows read by the look that is under way, or by the last one. */
  read: number;
  /** Null while nobody knows it. */
  total: number | null;
  is_walking: boolean;
}

export interface IndexSettings {
  state: "off" | "waiting" | "filling" | "ready";
  /** ISO; when the newest rows of all lists were last looked at. */
  read_at: string | null;
  lists: ListProgress[];
  /** What stands in the way. */
  failure: Failure | null;
  /** Where webhooks may be sent to; null while there is no copy that they could be for. */
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
  if (data?.state === "off") return false;
  const isMoving = data?.state !== "ready" || data.lists.some((one) => one.is_walking);
  return isMoving ? MOVING_MS : RESTING_MS;
}
