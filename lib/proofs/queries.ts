import { queryOptions } from "@tanstack/react-query";
import { apiPath, type Scope } from "#lib/auth/scope.ts";
import { refetchEvery, unlessFollowed } from "#lib/query/client.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import { newProofsPath, type ProofSearch } from "./search.ts";

/** A payment that a verified delivery told of; amounts are decimal texts. */
export interface Proof {
  id: string;
  /** ISO: when the delivery came. */
  at: string;
  /** ISO: when it was paid by the sender's own clock; null where it does not say. */
  said_at: string | null;
  subscription_id: string;
  delivery_id: string | null;
  received_delivery_id: string;
  product_name: string | null;
  amount: string | null;
  currency: string | null;
  fee: string | null;
  net: string | null;
  known_by: "delivery" | "subscription" | "later" | "unknown";
}

/** With the buyer's name, while the copy knows it. */
export interface ListedProof extends Proof {
  buyer: string | null;
}

/** A delivery that told of a payment and proves none; its moments are ISO, as a proof's. */
export interface Unproven {
  verdict: string;
  reason: string | null;
  at: string;
  said_at: string | null;
}

/** What proves that a subscription is paid, or why nothing does. */
export interface SubscriptionProofs {
  /** Newest first, a few of them. */
  proofs: Proof[];
  /** When the buyer last came back from the checkout; null when nobody saw it. */
  returned_at: string | null;
  /** Seconds since then, by the database's clock. */
  returned_ago: number | null;
  /** Since when deliveries can be verified; null while no secret is known. */
  verifying_since: string | null;
  /** The last delivery of it that proves nothing, and came after all that do. */
  unproven: Unproven | null;
}

export const proofsKey = (scope: Scope) => [scope, "proofs"] as const;

export const subscriptionProofsQuery = (scope: Scope, subscription_id: string) =>
  queryOptions({
    queryKey: [...proofsKey(scope), "of", subscription_id] as const,
    queryFn: ({ signal }) =>
      fetchJson<SubscriptionProofs>(
        apiPath(scope, `/subscriptions/${encodeURIComponent(subscription_id)}/proof`),
        signal,
      ),
  });

const LOOK_AGAIN_MS = 60_000;

export const newProofsQuery = (scope: Scope, search: ProofSearch, newest: string) =>
  queryOptions({
    queryKey: [...proofsKey(scope), "new", search, newest] as const,
    queryFn: ({ signal }) =>
      fetchJson<{ count: number }>(newProofsPath(scope, search, newest), signal),
    // The page was just read.
    initialData: { count: 0 },
    refetchInterval: (query) => refetchEvery(unlessFollowed(LOOK_AGAIN_MS))(query),
  });
