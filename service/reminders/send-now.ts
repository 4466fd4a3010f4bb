import type { SentMessage } from "#contract/messages.ts";
import { REMINDER_REFUSALS } from "#contract/field-messages.ts";
import { lockCheckout } from "../checkout/open.ts";
import { queryValue, type Database } from "../db/database.ts";
import { detailError, notFoundError } from "../http/errors.ts";
import { requireMessage } from "../messages/list-store.ts";
import { queueMessage } from "../messages/outbox.ts";
import { findSellerIdOf } from "../subscriptions/store.ts";
import type { Seller } from "../sellers/store.ts";
import { localDate } from "#contract/process/local-day.ts";
import { endOfDay, isAllowed, offsetOf } from "#contract/process/reminder-calendar.ts";
import { noteReminder, findIdleSince } from "./reminder-store.ts";
import { causeSql } from "./plan-store.ts";
import { selectSchedule } from "./schedule-store.ts";
import { fitsStatus } from "./write.ts";

interface Wanted {
  seller: Seller;
  /** The real time. */
  now: Date;
  subscription_id: string;
  step_id: number;
}

/**
 * Queues one step for one subscription at once, under the subscription's lock.
 * @throws 404 for an unknown step or subscription, 400 with the reason why it is not sent
 */
export async function sendReminderNow(
  database: Database,
  { seller, now: realNow, subscription_id, step_id }: Wanted,
): Promise<SentMessage> {
  const { seller_id } = seller;
  const schedule = await selectSchedule(database, seller_id);
  const step = schedule?.steps.find((one) => one.step_id === step_id);
  const owner = await findSellerIdOf(database, subscription_id);
  if (!schedule || !step || owner !== seller_id) throw notFoundError();
  if (!schedule.is_on) throw detailError(400, REMINDER_REFUSALS.switched_off);
  const { subscription, now } = await lockCheckout(database, subscription_id, realNow);
  const { next_billing_cycle } = subscription;
  const offset = offsetOf(step, seller.grace_days);
  const today = localDate(now, seller.time_zone);
  const isEarly =
    offset !== null &&
    offset > 0 &&
    next_billing_cycle !== null &&
    Temporal.PlainDate.compare(today, localDate(next_billing_cycle, seller.time_zone)) <= 0;
  if (!fitsStatus(step, subscription.status) || isEarly)
    throw detailError(400, REMINDER_REFUSALS.unfit);
  if (!isAllowed(schedule, seller.time_zone, now))
    throw detailError(400, REMINDER_REFUSALS.quiet);
  const cause = await queryValue<string>(
    database,
    `select ${causeSql("$2::bigint", "s")} from subscription s
     where s.seller_id = $3 and s.subscription_id = $1`,
    [subscription_id, step_id, seller_id],
  );
  if (cause === null) throw notFoundError();
  const until = endOfDay(now, seller.time_zone);
  const queued = await queueMessage(database, {
    seller_id,
    kind: "reminder",
    cause,
    subscription_id,
    phone: subscription.phone,
    email: subscription.email,
    language: schedule.language,
    subject: null,
    body: null,
    at: realNow,
    expires_at: new Date(until.getTime() - seller.clock_offset_ms),
    ...(step.channel && { channel: step.channel }),
  });
  if (queued === "no_channel") throw detailError(400, REMINDER_REFUSALS.unreachable);
  const isLeft = step.kind === "checkout_left";
  const { state } = await noteReminder(database, {
    cause,
    seller_id,
    step_id,
    subscription_id,
    customer_id: subscription.customer_id,
    schedule: subscription.schedule,
    period_start: next_billing_cycle,
    idle_since: isLeft ? await findIdleSince(database, seller_id, subscription_id) : null,
    planned_at: now,
    until,
  });
  if (queued === "known" && state !== "queued") throw detailError(400, REMINDER_REFUSALS.sent);
  if (queued === "known")
    await database.query(
      `update message set next_at = least(next_at, $3)
       where seller_id = $1 and cause = $2 and state = 'queued'`,
      [seller_id, cause, realNow],
    );
  return requireMessage(database, seller_id, cause);
}
