import type { Amount } from "#contract/amount.ts";
import type { SharedLinkProblem } from "#contract/names.ts";
import type { Database } from "../db/database.ts";
import { notFoundError } from "../http/errors.ts";
import { isUuid } from "../http/ids.ts";
import { payability } from "../sellers/payable.ts";
import { findSellerOfBuyers, sellerNow, type Seller } from "../sellers/store.ts";
import { lockCurrentSubscription } from "../subscriptions/catch-up.ts";
import { localDate } from "#contract/process/local-day.ts";
import { paidPeriod } from "../subscriptions/periods.ts";
import { withMovedPeriod } from "../subscriptions/period-move.ts";
import { amountOn, selectListedPrice } from "../subscriptions/pricing.ts";
import {
  findSellerIdOf,
  selectSubscription,
  type LockedSubscription,
  type SubscriptionRow,
} from "../subscriptions/store.ts";
import { subscriptionAsOf } from "../subscriptions/timed-changes.ts";
import { selectBranding, type Branding } from "./branding.ts";
import type { Attempt } from "./store.ts";

export interface Checkout {
  seller: Seller;
  subscription: SubscriptionRow;
  amount: Amount;
  /** The VAT rate shown to the buyer: `13` for 13 %. */
  vatRate: string;
  /** The period that a payment now would cover; null for a one-time purchase. */
  period: ReturnType<typeof paidPeriod>["period"];
  /** The seller's time, which all of this is based on. */
  now: Date;
}

export type LockedCheckout = Checkout & {
  subscription: LockedSubscription;
  /** The subscription as stored: with its old billing period if a move to another one is due. */
  stored: LockedSubscription;
};

/** A checkout with what its pages show in addition to the amount. */
export type ShownCheckout = Checkout & { branding: Branding };

/** The checkout of a link, priced now. @throws 404 for an unknown or malformed id */
export async function openCheckout(
  database: Database,
  subscriptionId: string,
  clock: Date,
): Promise<ShownCheckout> {
  const seller = await findSellerOf(database, subscriptionId);
  const now = sellerNow(seller, clock);
  const stored = await selectSubscription(database, seller.seller_id, subscriptionId);
  if (!stored) throw notFoundError();
  const checkout = await describeCheckout(database, { seller, stored, now });
  const { subscription } = checkout;
  return {
    ...checkout,
    branding: await selectBranding(database, seller.seller_id, subscription.product_id),
  };
}

/** The checkout of a stored subscription, with its status as of that time. */
export const describeCheckout = (
  database: Database,
  { seller, stored, now }: { seller: Seller; stored: SubscriptionRow; now: Date },
): Promise<Checkout> =>
  describe(database, { seller, subscription: subscriptionAsOf(stored, seller, now), now });

/** The checkout with its subscription locked. @param at a time of the seller's clock; now if left out */
export async function lockCheckout(
  database: Database,
  subscriptionId: string,
  clock: Date,
  at?: Date,
): Promise<LockedCheckout> {
  const seller = await findSellerOf(database, subscriptionId);
  const now = at ?? sellerNow(seller, clock);
  const subscription = await lockCurrentSubscription(database, seller, subscriptionId, now);
  if (!subscription) throw notFoundError();
  return { ...(await describe(database, { seller, subscription, now })), stored: subscription };
}

async function findSellerOf(database: Database, subscriptionId: string): Promise<Seller> {
  const sellerId = isUuid(subscriptionId)
    ? await findSellerIdOf(database, subscriptionId)
    : null;
  const seller = sellerId === null ? null : await findSellerOfBuyers(database, sellerId);
  if (!seller) throw notFoundError();
  return seller;
}

async function describe<Row extends SubscriptionRow>(
  database: Database,
  { seller, subscription: stored, now }: { seller: Seller; subscription: Row; now: Date },
): Promise<Checkout & { subscription: Row }> {
  const subscription = await withMovedPeriod(database, seller, stored);
  const today = localDate(now, seller.time_zone).toString();
  return {
    seller,
    subscription,
    now,
    ...(await priceOn(database, { ...subscription, seller_id: seller.seller_id }, today)),
    period: paidPeriod(subscription, seller, now).period,
  };
}

/** What a billing period costs on a day of the seller's calendar, YYYY-MM-DD. */
export async function priceOn(
  database: Database,
  { seller_id, pbp_id }: Pick<SubscriptionRow, "seller_id" | "pbp_id">,
  day: string,
): Promise<Pick<Checkout, "amount" | "vatRate">> {
  const price = await selectListedPrice(database, seller_id, pbp_id);
  return {
    amount: amountOn(price, day),
    vatRate: price.vat_percentage.replace(/\.?0+$/, ""),
  };
}

/** Whether the seller may take payments: its account is verified and not suspended. */
export const takesPayments = ({ seller }: Pick<Checkout, "seller">) => seller.kyc_verified;

/** Why buyers can order nothing of the seller by themselves; null if they can. */
export async function orderProblem(
  database: Database,
  seller: Seller,
  mode: "test" | "live",
): Promise<Exclude<SharedLinkProblem, "no_codes"> | null> {
  if (!takesPayments({ seller })) return "suspended";
  if (seller.api_usage_type === null) return "no_usage_type";
  return (await payability(database, seller.seller_id, mode)).payable ? null : "no_payment";
}

/** Whether a first payment or an overdue one is owed. */
export const isPayable = ({ status }: SubscriptionRow) =>
  status === "pending_checkout" || status === "due";

/** Spec choice, early renewals: the next period of a running subscription can be paid. */
export const canPayEarly = ({ status, is_one_time }: SubscriptionRow) =>
  status === "active" && !is_one_time;

/** Whether the link's buyer can correct their details: it is in use, and so is the account. */
export const isCorrectable = ({ seller, subscription }: Checkout) =>
  takesPayments({ seller }) && !["cancelled", "inactive"].includes(subscription.status);

/** Whether the attempt pays for what is owed: it was neither paid nor rescheduled since. */
export const isStillOwed = (
  { period_start, schedule }: Pick<Attempt, "period_start" | "schedule">,
  {
    next_billing_cycle,
    schedule: current,
  }: Pick<SubscriptionRow, "next_billing_cycle" | "schedule">,
) => period_start?.getTime() === next_billing_cycle?.getTime() && schedule === current;

/** Spec, What the service does 3: returning proves no payment, so the URL carries no result. */
export function returnAddress({ return_url, subscription_id }: SubscriptionRow): string {
  const url = new URL(return_url);
  url.searchParams.set("subscription_id", subscription_id);
  return url.href;
}
