import { queryOptions } from "@tanstack/react-query";
import { apiPath, type Scope } from "#lib/scope.ts";
import { fetchJson, readRoute } from "#lib/query/fetch-json.ts";
import type { ConnectionState } from "./rules.ts";

/** What every member may know about the connection. */
export interface ConnectionStatus {
  state: ConnectionState;
  /** When the stored key's state began, ISO; null when no key is stored. */
  since: string | null;
}

/**
 * The seller's own account at the billing service. `not_offered`: this installation opens none;
 * `unanswered`: it is opened, but whether it is verified is not known.
 */
export type OwnAccount =
  "not_offered" | "not_opened" | "not_verified" | "unanswered" | "opened";

/** What members with access to the key see; never the key itself. */
export interface ConnectionDetails extends ConnectionStatus {
  own_account: OwnAccount;
  last4: string | null;
  set_at: string | null;
  set_by: string | null;
  last_success_at: string | null;
  last_refusal_at: string | null;
  /** Whether the user signs in with a password. */
  has_password: boolean;
  /** The billing service's host; null without this mode. */
  host: string | null;
}

/** The steps before the first payment; null where unknown. */
export interface GoLive {
  /**
   * Whether the dashboard opened the seller's account; null if this installation opens none, or a key of
   * another account is connected.
   */
  is_account_opened: boolean | null;
  is_connected: boolean;
  is_verified: boolean;
  /**
   * `not_shown` if the service does not list webhooks. Null if the service did not answer, as for
   * the next two steps.
   */
  has_webhook: boolean | "not_shown" | null;
  /** Whether a product is on sale, where the dashboard can add one. */
  has_product?: boolean | null;
  has_subscription: boolean | null;
  has_return_url: boolean;
  /** Whether live mode is begun, where an account can be opened for it. */
  is_live_begun?: boolean;
}

// An identity check may end at any moment; the other states wait for a user.
const UNVERIFIED_MS = 4_000;
const SHUT_MS = 10_000;
const FRESH_MS = 30_000;

export const connectionKey = (scope: Scope) => [scope, "connection"] as const;

/** Polls while the connection is not good; TanStack Query pauses it in hidden tabs. */
export const connectionQuery = (scope: Scope) =>
  queryOptions({
    queryKey: connectionKey(scope),
    queryFn: readRoute<ConnectionStatus>(scope, "/connection"),
    refetchInterval: ({ state: { data } }) => pauseAfter(data?.state ?? "good"),
    staleTime: ({ state: { data } }) => (data?.state === "good" ? FRESH_MS : 0),
    refetchOnWindowFocus: true,
  });

function pauseAfter(state: ConnectionState): number | false {
  if (state === "good" || state === "mode_absent") return false;
  return state === "unverified" ? UNVERIFIED_MS : SHUT_MS;
}

export const RAW_KINDS = [
  "subscription",
  "customer",
  "product",
  "payment",
  "delivery",
] as const;
export type RawKind = (typeof RAW_KINDS)[number];

/** A record's JSON as the service sent it, indented. */
export interface RawRecord {
  text: string;
}

/** @param asked.id the record's id; of a payment its reference, with `subscription_id` */
export const rawRecordQuery = (
  scope: Scope,
  asked: { kind: RawKind; id: string; subscription_id: string },
) =>
  queryOptions({
    queryKey: [scope, "raw", asked] as const,
    queryFn: ({ signal }) => {
      const { kind, id, subscription_id } = asked;
      const query = new URLSearchParams({ kind, subscription: subscription_id }).toString();
      const path = apiPath(scope, `/raw/${encodeURIComponent(id)}?${query}`);
      return fetchJson<RawRecord>(path, signal);
    },
    // Read again each time it is opened, and not kept.
    staleTime: 0,
    gcTime: 0,
  });
