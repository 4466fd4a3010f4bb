import { queryOptions } from "@tanstack/react-query";
import { apiPath, type Scope } from "#lib/scope.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import type { ConnectionState } from "./rules.ts";

/** What everybody may know of the connection. */
export interface ConnectionStatus {
  state: ConnectionState;
  /** ISO; null when nothing is stored. */
  since: string | null;
}

/** What those see who look after the key; never the key. */
export interface ConnectionDetails extends ConnectionStatus {
  last4: string | null;
  set_at: string | null;
  set_by: string | null;
  last_success_at: string | null;
  last_refusal_at: string | null;
  /** Whether the person who looks at it signs in by one. */
  has_password: boolean;
  /** The billing service's host; null when the mode is absent. */
  host: string | null;
}

/** What is set up once before the first payment; null where nobody can say yet. */
export interface GoLive {
  is_connected: boolean;
  is_verified: boolean;
  /** `not_shown` by a service that lists none; null where it does not answer, as is the next. */
  has_webhook: boolean | "not_shown" | null;
  has_subscription: boolean | null;
  has_return_url: boolean;
}

// An identity check may end at any moment; the rest waits for a person.
const UNVERIFIED_MS = 4_000;
const SHUT_MS = 10_000;
const FRESH_MS = 30_000;

export const connectionKey = (scope: Scope) => [scope, "connection"] as const;

/** Asks on while the dashboard is shut; TanStack Query pauses that in a hidden tab. */
export const connectionQuery = (scope: Scope) =>
  queryOptions({
    queryKey: connectionKey(scope),
    queryFn: ({ signal }) => fetchJson<ConnectionStatus>(apiPath(scope, "/connection"), signal),
    refetchInterval: ({ state: { data } }) => pauseAfter(data?.state ?? "good"),
    staleTime: ({ state: { data } }) => (data?.state === "good" ? FRESH_MS : 0),
    refetchOnWindowFocus: true,
  });

function pauseAfter(state: ConnectionState): number | false {
  if (state === "good" || state === "mode_absent") return false;
  return state === "unverified" ? UNVERIFIED_MS : SHUT_MS;
}
