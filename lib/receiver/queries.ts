import { queryOptions } from "@tanstack/react-query";
import { type Scope, scopePath } from "#lib/scope.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { readRoute } from "#lib/query/fetch-json.ts";
import type { SignatureScheme } from "#lib/signature.ts";
import { MOMENT_CURSOR } from "#lib/format/moment-place.ts";
import { defineSearch, textMatching, type SearchOf } from "#lib/search-params.ts";
import type { VerdictReason, ReceivedVerdict } from "./rules.ts";

/** A secret in use, without the secret itself. */
export interface ReceiverSecret {
  id: string;
  webhook_id: number | null;
  event: string | null;
  added_at: string;
  /** When a replaced secret ends; null while it is the current one. */
  ends_at: string | null;
}

export interface ReceivedRow {
  id: string;
  delivery_id: string | null;
  received_at: string;
  verdict: ReceivedVerdict;
  reason: VerdictReason | null;
  event: string | null;
  subscription_id: string | null;
  /** Whether the body is stored, so that the delivery can be examined. */
  has_body: boolean;
}

export interface ReceivedDeliveryDetails {
  id: string;
  /** The stored headers, which include those of the signature, with lower-case names. */
  headers: Record<string, string>;
  body: string;
  received_at: string;
}

export interface ReceiverState {
  /** The receiver's URL; null while no key is connected. */
  url: string | null;
  registered_at: string | null;
  /** The signature scheme; null for Standard Webhooks. */
  scheme: SignatureScheme | null;
  secrets: ReceiverSecret[];
  /** Whether it was ever registered; if it no longer is, `registered_at` is null. */
  was_registered: boolean;
  /** Kinds of events that, as far as known, no endpoint of the service sends here. */
  missing: string[];
  /** Number of deliveries by verdict in the last 30 days. */
  counts: Partial<Record<ReceivedVerdict, number>>;
  last_verified_at: string | null;
  /** One page of deliveries, newest first. */
  latest: ReceivedRow[];
  /** The cursor of the next page; null at the end. */
  next: string | null;
}

export interface RegisterResult {
  /** Kinds of events whose deliveries can be verified now. */
  verified: string[];
  /** Kinds of events that are registered, but whose secret was not shown, or not stored at the limit. */
  without_secret: string[];
  /** Kinds of events that the service refused. */
  refused: string[];
}

const LOOK_AGAIN_MS = 5_000;

export const receiverKey = (scope: Scope) => [scope, "receiver"] as const;

export const receiverQuery = (scope: Scope, search: ReceivedSearch) =>
  queryOptions({
    queryKey: [...receiverKey(scope), search] as const,
    queryFn: readRoute<ReceiverState>(scope, `/receiver${receivedQueryString(search)}`),
    // Live updates announce verified deliveries only; this page shows the others too.
    refetchInterval: refetchEvery(LOOK_AGAIN_MS),
  });

export const receivedDeliveryQuery = (scope: Scope, id: string) =>
  queryOptions({
    queryKey: [...receiverKey(scope), "delivery", id] as const,
    queryFn: readRoute<ReceivedDeliveryDetails>(
      scope,
      `/receiver/deliveries/${encodeURIComponent(id)}`,
    ),
    staleTime: Number.POSITIVE_INFINITY,
  });

const receivedSearch = defineSearch({
  /** The cursor after the previous page; null on the first page. */
  before: textMatching(MOMENT_CURSOR),
});
export type ReceivedSearch = SearchOf<typeof receivedSearch>;
export const { parse: parseReceivedSearch, toQuery: receivedQueryString } = receivedSearch;

export const receivedPath = (scope: Scope, search: ReceivedSearch): string =>
  scopePath(scope, `/settings/webhooks/deliveries/received${receivedQueryString(search)}`);
