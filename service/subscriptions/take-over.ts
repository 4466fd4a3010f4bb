import { localDate } from "#contract/process/local-day.ts";
import {
  MAX_TAKEN_OVER_DAYS,
  type CreatedSubscription,
  type TakeOverSubscription,
} from "#contract/subscriptions.ts";
import { queryRows, type Database } from "../db/database.ts";
import { ApiError, detailError } from "../http/errors.ts";
import type { WriteContext } from "../http/write.ts";
import type { Seller } from "../sellers/store.ts";
import { lockCurrentSubscription } from "./catch-up.ts";
import { changeStatus } from "./change-status.ts";
import { createSubscription } from "./create.ts";
import { addIntervals, billingMoment } from "./periods.ts";
import { lockCounts, lockSubscription, type LockedSubscription } from "./store.ts";

/**
 * Creates a subscription that the buyer paid elsewhere until a day: active without a payment, and
 * due at once if that day has passed.
 * @throws ApiError 400 as for every creation, for a day that is too far away, and if the buyer has
 * the same billing period already
 */
export async function takeOverSubscription(
  write: WriteContext,
  { paid_until, ...order }: TakeOverSubscription,
): Promise<CreatedSubscription> {
  const { database, seller, clock } = write;
  const now = clock();
  const today = localDate(now, seller.time_zone);
  const billingDate = billingDateFor(Temporal.PlainDate.from(paid_until), today, seller);
  await lockCounts(database, seller.seller_id);
  const created = await createSubscription(write, order);
  const found = await lockSubscription(database, seller.seller_id, created.subscription_id);
  if (!found) throw new Error("The created subscription is gone.");
  if (found.is_one_time)
    throw new ApiError(400, {
      pbp_id: ["A one-time purchase has no day until which it is paid."],
    });
  if (await hasUnended(database, seller, found, now))
    throw detailError(400, "This buyer already has a subscription for this billing period.");

  const change = {
    trigger: "taken_over",
    now,
    dates: datesUntil(found, billingDate, { today, now, seller }),
  } as const;
  const { subscription: active } = await changeStatus(database, found, change);
  const isDue = Temporal.PlainDate.compare(billingDate, today) < 0;
  const { subscription } = isDue
    ? await changeStatus(database, active, { trigger: "billing_date_passed", now })
    : { subscription: active };
  return {
    ...created,
    status: subscription.status,
    next_billing_cycle: subscription.next_billing_cycle?.toISOString() ?? null,
  };
}

/**
 * The billing date: the day itself, or yesterday if its grace period is over, so that the buyer is
 * asked to pay a whole interval now and has the whole grace period.
 */
function billingDateFor(
  paidUntil: Temporal.PlainDate,
  today: Temporal.PlainDate,
  { grace_days }: Seller,
): Temporal.PlainDate {
  const { days: late } = paidUntil.until(today, { largestUnit: "days" });
  const problem = (text: string) => new ApiError(400, { paid_until: [text] });
  if (Math.abs(late) > MAX_TAKEN_OVER_DAYS)
    throw problem(`Use a day at most ${MAX_TAKEN_OVER_DAYS} days from today.`);
  if (late > 0 && grace_days === 0)
    throw problem(
      "This account has no grace period, so a past day would end the subscription.",
    );
  return late > grace_days ? today.subtract({ days: 1 }) : paidUntil;
}

/**
 * The dates of one interval that ends on the billing date; an interval that would begin today or
 * later begins now.
 */
function datesUntil(
  subscription: LockedSubscription,
  billingDate: Temporal.PlainDate,
  { today, now, seller }: { today: Temporal.PlainDate; now: Date; seller: Seller },
) {
  const anchor_day = billingDate.day;
  const start = addIntervals(billingDate, subscription, anchor_day, -1);
  const hasBegun = Temporal.PlainDate.compare(start, today) < 0;
  return {
    current_period_start: hasBegun ? billingMoment(start, seller.time_zone) : now,
    next_billing_cycle: billingMoment(billingDate, seller.time_zone),
    anchor_day,
  };
}

/**
 * Whether the buyer has another subscription of that billing period that is due, or ends when its
 * current period does.
 */
async function hasUnended(
  database: Database,
  seller: Seller,
  { customer_id, pbp_id }: LockedSubscription,
  now: Date,
): Promise<boolean> {
  const others = await queryRows<{ subscription_id: string }>(
    database,
    `select subscription_id from subscription
     where seller_id = $1 and customer_id = $2 and pbp_id = $3
       and status in ('due', 'pending_cancellation')`,
    [seller.seller_id, customer_id, pbp_id],
  );
  for (const { subscription_id } of others) {
    const other = await lockCurrentSubscription(database, seller, subscription_id, now);
    if (other?.status === "due" || other?.status === "pending_cancellation") return true;
  }
  return false;
}
