import { queryOptions } from "@tanstack/react-query";
import { apiPath, type Scope } from "#lib/scope.ts";
import { refetchEvery, unlessFollowed } from "#lib/query/client.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import { newPaymentsPath, type PaymentSearch } from "./search.ts";

/**
 * A payment that a verified delivery told of, or that the service's record showed; amounts are decimal
 * texts.
 */
export interface VerifiedPayment {
  id: string;
  /** ISO: when it was paid, at the latest when its delivery came or the record was seen to show it. */
  at: string;
  /** ISO: when it was paid by the sender's own clock, or for which period; null where it does not say. */
  said_at: string | null;
  subscription_id: string;
  delivery_id: string | null;
  /** As the buyer's receipt has it; null where the service says none. */
  reference: string | null;
  /** Null while no delivery told of it: the record alone shows it. */
  received_delivery_id: string | null;
  /** Null where nobody can say whether it was the first. */
  is_renewal: boolean | null;
  product_name: string | null;
  amount: string | null;
  currency: string | null;
  fee: string | null;
  net: string | null;
  /** The tax inside the amount, and how it was paid, where the delivery says it. */
  vat: string | null;
  method: string | null;
  /** Whether only the list price was known; null where nobody can say. */
  is_list_price: boolean | null;
  known_by: "delivery" | "subscription" | "later" | "unknown" | "record";
}

/** With the buyer's name, while the copy knows it. */
export interface ListedPayment extends VerifiedPayment {
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
export interface SubscriptionPayments {
  /** Newest first, a few of them. */
  payments: VerifiedPayment[];
  /** ISO: when verified deliveries told of failed payments, newest first, a few of them. */
  failures: string[];
  /** When the buyer last came back from the checkout; null when nobody saw it. */
  returned_at: string | null;
  /** Seconds since then, by the database's clock. */
  returned_ago: number | null;
  /** Since when deliveries can be verified; null while no secret is known. */
  verifying_since: string | null;
  /** Whether the service was asked to send deliveries here, and does. */
  is_registered: boolean;
  /** The last delivery of it that proves nothing, and came after all that do. */
  unproven: Unproven | null;
}

export const paymentsKey = (scope: Scope) => [scope, "payments"] as const;

export const subscriptionPaymentsQuery = (scope: Scope, subscription_id: string) =>
  queryOptions({
    queryKey: [...paymentsKey(scope), "of", subscription_id] as const,
    queryFn: ({ signal }) =>
      fetchJson<SubscriptionPayments>(
        apiPath(scope, `/subscriptions/${encodeURIComponent(subscription_id)}/payments`),
        signal,
      ),
  });

const LOOK_AGAIN_MS = 60_000;

export const newPaymentsQuery = (scope: Scope, search: PaymentSearch, newest: string) =>
  queryOptions({
    queryKey: [...paymentsKey(scope), "new", search, newest] as const,
    queryFn: ({ signal }) =>
      fetchJson<{ count: number }>(newPaymentsPath(scope, search, newest), signal),
    // The page was just read.
    initialData: { count: 0 },
    refetchInterval: (query) => refetchEvery(unlessFollowed(LOOK_AGAIN_MS))(query),
  });
