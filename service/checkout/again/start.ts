import { localDate } from "#contract/process/local-day.ts";
import { queryRow, queryRows, transaction, type Database } from "../../db/database.ts";
import { ApiError } from "../../http/errors.ts";
import { VISIBLE_PERIOD } from "../../products/store.ts";
import { createSubscription } from "../../subscriptions/create.ts";
import { lockSeller } from "../../sellers/store.ts";
import { amountOn, selectListedPrice } from "../../subscriptions/pricing.ts";
import type { SubscriptionRow } from "../../subscriptions/store.ts";
import { openCheckout, orderProblem, type Checkout } from "../open.ts";
import type { PaymentContext } from "../provider.ts";

/** A billing period with which an ended subscription can be started again. */
export interface PeriodAgain {
  pbp_id: string;
  plan_id: string;
  plan_name: string;
  label: string;
  currency: string;
  /** What a period costs today. */
  total: string;
}

/**
 * The same billing period at its price today; if it is not on sale any more, the periods of its
 * plan, or else of its product. None while the subscription has not ended, or if a new one could
 * not be paid.
 */
export async function periodsAgain(
  database: Database,
  { seller, subscription, now }: Checkout,
  mode: PaymentContext["mode"],
): Promise<PeriodAgain[]> {
  const { seller_id } = seller;
  if (subscription.status !== "cancelled" && subscription.status !== "inactive") return [];
  if ((await orderProblem(database, seller, mode)) !== null) return [];
  const onSale = await queryRows<Omit<PeriodAgain, "total">>(
    database,
    `select b.pbp_id, l.plan_id, l.plan_name, b.label, b.currency
       from billing_period b join plan l using (seller_id, plan_id) join product p using (seller_id, product_id)
      where b.seller_id = $1 and p.product_id = $2 and p.is_active and ${VISIBLE_PERIOD}
        and b.interval_type <> 'one_time'
      order by l.plan_name, b.price, b.pbp_id`,
    [seller_id, subscription.product_id],
  );
  const same = onSale.filter(({ pbp_id }) => pbp_id === subscription.pbp_id);
  const ofPlan = onSale.filter(({ plan_id }) => plan_id === subscription.plan_id);
  const offered = [same, ofPlan, onSale].find(({ length }) => length > 0) ?? [];
  const today = localDate(now, seller.time_zone).toString();
  const periods: PeriodAgain[] = [];
  for (const period of offered) {
    const price = await selectListedPrice(database, seller_id, period.pbp_id);
    periods.push({ ...period, total: amountOn(price, today).total });
  }
  return periods;
}

export type StartedAgain = { subscription_id: string } | { problem: "refused" | "too_soon" };

/**
 * Starts an ended subscription again, by the rules of every new one. If a checkout of the same
 * period waits already, the buyer is led to it unchanged, so that somebody with the old link can
 * neither create many checkouts nor change one.
 */
export async function startAgain(
  { pool, now, mode, publicUrl }: PaymentContext,
  subscriptionId: string,
  pbpId: string,
): Promise<StartedAgain> {
  try {
    return await transaction(pool, async (database) => {
      const checkout = await openCheckout(database, subscriptionId, now());
      const { seller, subscription } = checkout;
      const offered = await periodsAgain(database, checkout, mode);
      const period = offered.find(({ pbp_id }) => pbp_id === pbpId);
      if (!period) return { problem: "refused" };
      await lockSeller(database, seller.seller_id);
      const waiting = await findWaiting(database, subscription, period, checkout.now);
      if (waiting?.pbp_id === pbpId) return { subscription_id: waiting.subscription_id };
      if (waiting?.is_new) return { problem: "too_soon" };
      const { return_url, shipping } = subscription;
      const client = await selectClient(database, subscription);
      return createSubscription(
        { database, seller, mode, publicUrl, clock: () => checkout.now },
        { pbp_id: pbpId, return_url, client: { ...client, ...(shipping && { shipping }) } },
      );
    });
  } catch (error) {
    // For example, a subscription to the same plan is running already.
    if (error instanceof ApiError && error.status === 400) return { problem: "refused" };
    throw error;
  }
}

/** The buyer's waiting checkout of that plan, and whether it was used in the last minute. */
const findWaiting = (
  database: Database,
  { seller_id, customer_id }: SubscriptionRow,
  { plan_id }: PeriodAgain,
  now: Date,
) =>
  queryRow<{ subscription_id: string; pbp_id: string; is_new: boolean }>(
    database,
    `select subscription_id, pbp_id,
       coalesce(checkout_activity_at, created_at) > $4::timestamptz - interval '1 minute' as is_new
     from subscription
     where seller_id = $1 and customer_id = $2 and plan_id = $3 and status = 'pending_checkout'`,
    [seller_id, customer_id, plan_id, now],
  );

/** The buyer as their profile has them, which is newer than the ended subscription. */
async function selectClient(
  database: Database,
  { seller_id, customer_id, phone, full_name, email, address }: SubscriptionRow,
) {
  const profile = await queryRow<{ full_name: string; email: string; address: string }>(
    database,
    `select full_name, buyer_email as email, address from customer
     where seller_id = $1 and id = $2`,
    [seller_id, customer_id],
  );
  return { phone, ...(profile ?? { full_name, email, address }) };
}
