import "server-only";
import type { HandedOutcome } from "#contract/names.ts";
import type { SentMessage } from "#contract/messages.ts";
import {
  allowedUntil,
  type ReminderStep,
  type ScheduleTimes,
} from "#contract/process/reminder-calendar.ts";
import type { ReminderSchedule } from "#contract/reminders.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import type { MessageClient } from "#lib/billing/message-client.ts";
import { readSaidPaid } from "#lib/collection/by-hand/said-paid-store.ts";
import { readContactSummary } from "#lib/collection/contacts-store.ts";
import { graceDaysOf } from "#lib/collection/rules.ts";
import { readGrace } from "#lib/collection/settings-store.ts";
import { billingCycleOf } from "#lib/collection/subscription-cycle.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { AppError, failureOf, isAnswerLost } from "#lib/failure.ts";
import { dayInZone } from "#lib/format/format.ts";
import type { Amounts } from "#lib/money/price.ts";
import { readAmounts } from "#lib/search-index/query/owed.ts";
import { beginHanding, readSender, storePlanned, type Due, type Sender } from "./store.ts";
import { languageOf, writeStep } from "./text.ts";

const MINUTE = 60_000;
/** The time within which a text must be sent, because its facts are from the last reading. */
const GOOD_FOR = 30 * MINUTE;

export interface Planning {
  db: Database;
  owner: KeyOwner;
  messages: Pick<MessageClient, "readSchedule" | "handOver" | "listMessages">;
  billing: Pick<BillingClient, "getSubscription" | "listProducts">;
  linkOf: (subscription_id: string) => string | null;
  now: () => Date;
}

/** The schedule, and the seller's settings by which its times are calculated. */
interface PlanningTimes {
  times: ScheduleTimes;
  place: { time_zone: string; grace_days: number; clock_offset_ms: 0 };
}

export async function readTimes(
  { db, owner }: Pick<Planning, "db" | "owner">,
  schedule: ReminderSchedule,
): Promise<PlanningTimes> {
  const { time_zone } = schedule;
  const grace = graceDaysOf(await readGrace(db, owner, time_zone));
  return {
    times: timesOf(schedule, grace),
    place: { time_zone, grace_days: grace ?? 0, clock_offset_ms: 0 },
  };
}

/** Leaves out the steps of the last day of grace if the grace period is unknown. */
function timesOf(schedule: ReminderSchedule, grace: number | null): ScheduleTimes {
  const { on_since, quiet_hours, weekdays, steps } = schedule;
  return {
    since: new Date(on_since ?? 0),
    since_offset_ms: 0,
    quiet_from: quiet_hours?.from ?? null,
    quiet_to: quiet_hours?.to ?? null,
    weekdays,
    steps: steps.flatMap(({ id, kind, time, since, ...step }) =>
      kind === "last_day" && grace === null
        ? []
        : [
            {
              ...step,
              kind: kind as ScheduleTimes["steps"][number]["kind"],
              channel: step.channel as ScheduleTimes["steps"][number]["channel"],
              texts: step.texts as ScheduleTimes["steps"][number]["texts"],
              step_id: id,
              at_time: time,
              since: new Date(since),
              since_offset_ms: 0,
            },
          ],
    ),
  };
}

/** Data that all reminders of one round share. */
export interface Round extends Planning, PlanningTimes {
  schedule: ReminderSchedule;
  seller: Sender;
  today: string;
  amounts: Amounts;
}

export async function beginRound(
  planning: Planning,
  schedule: ReminderSchedule,
  read: PlanningTimes,
): Promise<Round> {
  const { db, owner, now } = planning;
  const today = dayInZone(now().toISOString(), schedule.time_zone);
  return {
    ...planning,
    ...read,
    schedule,
    today,
    seller: await readSender(db, owner),
    amounts: await readAmounts(db, planning, today),
  };
}

/**
 * Minutes until a reminder with this outcome is checked again. Other outcomes are settled, unless the
 * message waits at the service.
 */
const AGAIN: Record<string, number> = { held: 10, unread: 10, off: 10, unreachable: 60 };

interface Handed {
  outcome: HandedOutcome | "held" | "settled" | "unread" | "without_link";
  again_at?: Date;
  /** The number of messages that wait at the service; null if nothing was handed over. */
  waiting: number | null;
  message: SentMessage | null;
}

/**
 * Reads the subscription again, hands the reminder over if it is still to be sent, and stores the
 * outcome.
 * @throws AppError if the subscription cannot be read for now, or if the service does not accept
 * messages
 */
export async function remind(round: Round, step: ReminderStep, due: Due): Promise<Handed> {
  const { db, owner, now } = round;
  const handed = await decide(round, step, due);
  const minutes = AGAIN[handed.outcome];
  const at = now();
  await storePlanned(db, owner, due, {
    ...handed,
    at,
    again_at:
      handed.again_at ??
      (minutes === undefined ? null : new Date(at.getTime() + minutes * MINUTE)),
  });
  return handed;
}

async function decide(round: Round, step: ReminderStep, due: Due): Promise<Handed> {
  const { db, owner, billing, messages, linkOf, times, place, schedule, today, now } = round;
  const { subscription_id, moment } = due;
  const without = (outcome: Handed["outcome"]): Handed => ({
    outcome,
    waiting: null,
    message: null,
  });
  const link = linkOf(subscription_id);
  if (link === null) return without("without_link");
  const subscription = await billing
    .getSubscription(subscription_id)
    .catch((error: unknown) => failureOf(error));
  if ("kind" in subscription) {
    if (subscription.kind === "not_found") return without("settled");
    // If the service is unavailable, limits requests or refuses the key, the round ends, and the
    // other reminders wait for the next round.
    if (["unavailable", "rate_limited", "unauthorized"].includes(subscription.kind))
      throw new AppError(subscription, { cause: "the subscription was not read" });
    return without("unread");
  }
  if (!isStillOwed(subscription, step, moment)) return without("settled");
  const cycle = billingCycleOf(subscription);
  const summary = (await readContactSummary(db, owner, [{ id: subscription_id, cycle }]))(
    subscription_id,
  );
  const { promised_for, snoozed_until } = summary;
  const isHeld =
    (promised_for !== null && promised_for >= today) ||
    (snoozed_until !== null && snoozed_until > today) ||
    (await readSaidPaid(db, owner, { subscription_id })).length > 0;
  if (isHeld) return without("held");
  const { phone, email, full_name } = subscription.client;
  if (!phone && !email) return without("unreachable");
  const usual = schedule.language === "ne" ? "ne" : "en";
  const at = now();
  const end = allowedUntil(times, schedule.time_zone, at);
  const expires_at = new Date(Math.min(at.getTime() + GOOD_FOR, end.getTime()));
  const again_at = new Date(at.getTime() + MINUTE);
  if (!(await beginHanding(db, owner, due, { at, again_at }))) return without("held");
  const handed = await messages
    .handOver({
      kind: "reminder",
      cause: `${due.step_id}:${subscription_id}:${moment.toISOString()}`,
      subscription_id: UUID.test(subscription_id) ? subscription_id : null,
      phone,
      email,
      channel: step.channel,
      expires_at: expires_at.toISOString(),
      ...writeStep({
        ...round,
        ...place,
        step,
        subscription,
        link,
        usual,
        language: languageOf(step, { name: full_name, known: summary, usual }).language,
      }),
    })
    .catch(async (error: unknown) => {
      const failure = failureOf(error);
      // The service refuses this text, number or address; other buyers' reminders go on.
      if (failure.kind === "validation") return null;
      const mayBeTaken = isAnswerLost(failure) || failure.kind === "unexpected";
      if (!mayBeTaken)
        await storePlanned(db, owner, due, { ...without("unread"), at, again_at: at });
      throw error;
    });
  if (!handed) return without("unread");
  const isWaiting =
    handed.outcome === "queued" ||
    (handed.outcome === "known" && handed.message?.state === "queued");
  return {
    outcome: handed.outcome as HandedOutcome,
    waiting: handed.waiting,
    message: handed.message,
    ...(isWaiting && { again_at: expires_at }),
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isStillOwed(
  { status, next_billing_cycle, created_at }: Subscription,
  { kind }: ReminderStep,
  moment: Date,
): boolean {
  if (kind === "checkout_left")
    return status === "pending_checkout" && Date.parse(created_at) === moment.getTime();
  return (
    (status === "active" || status === "due") &&
    Date.parse(next_billing_cycle ?? "") === moment.getTime()
  );
}
