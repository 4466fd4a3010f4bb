import { queryOptions } from "@tanstack/react-query";
import type { AccountPayment } from "#contract/payments.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import { refetchEvery, pollUnlessLive } from "#lib/query/client.ts";
import { fetchJson, readRoute } from "#lib/query/fetch-json.ts";
import { newPaymentsPath, type PaymentSearch } from "./search.ts";

/**
 * A payment reported by a verified delivery or shown by the API's record; amounts are decimal texts.
 */
export interface VerifiedPayment {
  id: string;
  /** ISO time of payment, or of the delivery or record that showed it. */
  at: string;
  /** ISO time of payment or of its period as the sender states it; null if not stated. */
  said_at: string | null;
  subscription_id: string;
  delivery_id: string | null;
  /** The receipt's number; null if the service has none. */
  reference: string | null;
  /** The id of the delivery that reported it; null if only the API's record shows it. */
  received_delivery_id: string | null;
  /** Whether the payment renewed a subscription; null if unknown. */
  is_renewal: boolean | null;
  product_name: string | null;
  amount: string | null;
  currency: string | null;
  fee: string | null;
  net: string | null;
  /** Tax included in the amount, if the delivery has it. */
  vat: string | null;
  method: string | null;
  /** Whether `amount` is only the list price; null if unknown. */
  is_list_price: boolean | null;
  known_by: "delivery" | "subscription" | "later" | "unknown" | "record" | "service";
  /** Null if the service reports none of these parts, as for nearly all payments. */
  later: LaterPaymentDetail | null;
}

/** The parts of a payment that can change afterwards; amounts are decimal texts. */
interface LaterPaymentDetail {
  refunded: string;
  refund_owed: string;
  is_reversed: boolean;
  /** How a member recorded it; null for a payment at the checkout. */
  recorded: AccountPayment["recorded"];
}

/** A payment with the buyer's name, if the subscription is indexed. */
export interface ListedPayment extends VerifiedPayment {
  buyer: string | null;
}

/** A delivery about a payment that could not be verified; its times are ISO. */
export interface UnverifiedPayment {
  verdict: string;
  reason: string | null;
  at: string;
  said_at: string | null;
}

/** The evidence for a subscription's payment, or why there is none. */
export interface SubscriptionPayments {
  /** The newest payments of the subscription. */
  payments: VerifiedPayment[];
  /** ISO times of the newest failed payments, from verified deliveries. */
  failures: string[];
  /** When the buyer last returned from the checkout; null if never. */
  returned_at: string | null;
  /** Seconds since the return, by the database's clock. */
  returned_ago: number | null;
  /** Since when deliveries can be verified; null without a secret. */
  verifying_since: string | null;
  /** Whether Duebook's endpoint is registered and active. */
  is_registered: boolean;
  /** The latest unverified delivery, if newer than all verified ones. */
  unproven: UnverifiedPayment | null;
}

/** Where the bill of a payment is downloaded. */
export const billPath = (scope: Scope, billId: string): string =>
  apiPath(scope, `/payments/bill/${encodeURIComponent(billId)}`);

const paymentsKey = (scope: Scope) => [scope, "payments"] as const;

export const subscriptionPaymentsQuery = (scope: Scope, subscription_id: string) =>
  queryOptions({
    queryKey: [...paymentsKey(scope), "of", subscription_id] as const,
    queryFn: readRoute<SubscriptionPayments>(
      scope,
      `/subscriptions/${encodeURIComponent(subscription_id)}/payments`,
    ),
  });

const LOOK_AGAIN_MS = 60_000;

export const newPaymentsQuery = (scope: Scope, search: PaymentSearch, newest: string) =>
  queryOptions({
    queryKey: [...paymentsKey(scope), "new", search, newest] as const,
    queryFn: ({ signal }) =>
      fetchJson<{ count: number }>(newPaymentsPath(scope, search, newest), signal),
    // The page that shows the payments was just loaded, so none is new.
    initialData: { count: 0 },
    refetchInterval: (query) => refetchEvery(pollUnlessLive(LOOK_AGAIN_MS))(query),
  });
