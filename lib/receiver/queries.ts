import { queryOptions } from "@tanstack/react-query";
import { apiPath, type Scope } from "#lib/scope.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import type { SignatureScheme } from "#lib/signature.ts";
import type { Reason, ReceivedVerdict } from "./rules.ts";
import { receivedQueryString, type ReceivedSearch } from "./search.ts";

/** EventToRegister of the secrets in force; the secret itself is shown nowhere. */
export interface ReceiverSecret {
  id: string;
  webhook_id: number | null;
  event: string | null;
  added_at: string;
  /** Another one has taken its place, and it is accepted until then; null while it is in force. */
  ends_at: string | null;
}

export interface ReceivedRow {
  id: string;
  delivery_id: string | null;
  received_at: string;
  signed_at: string | null;
  verdict: ReceivedVerdict;
  reason: Reason | null;
  event: string | null;
  subscription_id: string | null;
  new_status: string | null;
  /** It was kept whole, so it can be examined. */
  has_body: boolean;
}

/** EventToRegister as it came. */
export interface ReceivedDelivery {
  id: string;
  /** By name in small letters; those that the signature is about. */
  headers: Record<string, string>;
  body: string;
  received_at: string;
}

export interface ReceiverState {
  /** Null while no key is connected. */
  url: string | null;
  registered_at: string | null;
  /** Null: Standard Webhooks. */
  scheme: SignatureScheme | null;
  secrets: ReceiverSecret[];
  /** It was registered at the service once, and may be no more: `registered_at` is null then. */
  was_registered: boolean;
  /** Kinds of events of which the service sends none here, as far as anybody saw. */
  missing: string[];
  /** Of what came in the last 30 days. */
  counts: Partial<Record<ReceivedVerdict, number>>;
  last_verified_at: string | null;
  /** A page of what came, newest first. */
  latest: ReceivedRow[];
  /** Where the next page begins; null at the end. */
  next: string | null;
}

/** What a registration came to. */
export interface RegisterResult {
  /** Kinds of events whose deliveries can be verified now. */
  verified: string[];
  /** Registered, but the service does not tell their secret. */
  without_secret: string[];
  /** Kinds that the service does not take; the others come all the same. */
  refused: string[];
}

const LOOK_AGAIN_MS = 5_000;

export const receiverKey = (scope: Scope) => [scope, "receiver"] as const;

export const receiverQuery = (scope: Scope, search: ReceivedSearch) =>
  queryOptions({
    queryKey: [...receiverKey(scope), search] as const,
    queryFn: ({ signal }) =>
      fetchJson<ReceiverState>(
        apiPath(scope, `/receiver${receivedQueryString(search)}`),
        signal,
      ),
    // Only what is verified is told; whoever has this page open waits for the rest as well.
    refetchInterval: refetchEvery(LOOK_AGAIN_MS),
  });

export const receivedDeliveryQuery = (scope: Scope, id: string) =>
  queryOptions({
    queryKey: [...receiverKey(scope), "delivery", id] as const,
    queryFn: ({ signal }) =>
      fetchJson<ReceivedDelivery>(
        apiPath(scope, `/receiver/deliveries/${encodeURIComponent(id)}`),
        signal,
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
