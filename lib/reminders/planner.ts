import "server-only";
import type { HandedOutcome } from "#contract/names.ts";
import {
  allowedUntil,
  dueRuns,
  type Run,
  type ScheduleTimes,
} from "#contract/process/reminder-calendar.ts";
import type { ReminderSchedule } from "#contract/reminders.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { checkoutLinks } from "#lib/billing/checkout-base.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { findMessageClient } from "#lib/billing/message-account.ts";
import type { MessageClient } from "#lib/billing/message-client.ts";
import { openObservedClient } from "#lib/billing/open-client.ts";
import { readSaidPaid } from "#lib/collection/by-hand/said-paid-store.ts";
import { readContactSummary } from "#lib/collection/contacts-store.ts";
import { graceDaysOf } from "#lib/collection/rules.ts";
import { readGrace } from "#lib/collection/settings-store.ts";
import { billingCycleOf } from "#lib/collection/subscription-cycle.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { logFault } from "#lib/db/away.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { failureOf } from "#lib/failure.ts";
import { dayInZone } from "#lib/format/format.ts";
import type { Amounts } from "#lib/money/price.ts";
import { readIndexStatus } from "#lib/search-index/query/index-status.ts";
import { readAmounts } from "#lib/search-index/query/owed.ts";
import { findRemindable, type Remindable } from "#lib/search-index/query/remindable.ts";
import {
  endTurn,
  forgetOldPlanned,
  readSender,
  readSettledCauses,
  storePlanned,
  takeTurn,
  type Sender,
} from "./store.ts";
import { languageOf, writeStep } from "./text.ts";

const MINUTE = 60_000;
const PAGE = 200;
/** Reminders that are handed over in a round, and messages that may wait at the service. */
const MOST = 100;
/** A text is not sent later than this: until then it is as true as the last reading. */
const GOOD_FOR = 30 * MINUTE;
const ROUND = 40_000;

/** A task of the worker: plans for a seller whose subscriptions another service keeps. */
export async function remindInTime(owner: KeyOwner): Promise<void> {
  const db = database();
  try {
    const claim = await takeTurn(db, owner);
    if (claim === null) return;
    try {
      const messages = await findMessageClient(owner);
      if (messages)
        await planReminders({
          db,
          owner,
          messages,
          billing: openObservedClient(owner),
          linkOf: await checkoutLinks({ owner }),
          now: () => new Date(),
        });
    } finally {
      await endTurn(db, owner, claim);
    }
  } catch (error) {
    logFault("reminders: what is due was not planned", error);
  }
}

export interface Planning {
  db: Database;
  owner: KeyOwner;
  messages: Pick<MessageClient, "readSchedule" | "handOver">;
  billing: Pick<BillingClient, "getSubscription" | "listProducts">;
  linkOf: (subscription_id: string) => string | null;
  now: () => Date;
}

interface Round extends Planning {
  schedule: ReminderSchedule;
  times: ScheduleTimes;
  seller: Sender;
  grace_days: number;
  today: string;
  amounts: Amounts;
}

/**
 * Hands over what is due by the schedule, each after a fresh reading of its subscription. What a
 * round does not reach, or what was not sent in time, is looked at again by a later one.
 */
export async function planReminders(planning: Planning): Promise<void> {
  const { db, owner, messages, now } = planning;
  const begun = now();
  if ((await readIndexStatus(db, owner)).state !== "ready") return;
  const schedule = await messages.readSchedule();
  if (!schedule.is_on) return;
  const { time_zone } = schedule;
  const grace = graceDaysOf(await readGrace(db, owner, time_zone));
  const times = timesOf(schedule, grace);
  const grace_days = grace ?? 0;
  const runs = dueRuns(times, { time_zone, grace_days, clock_offset_ms: 0 }, begun);
  if (runs.length === 0) return;
  await forgetOldPlanned(db, owner, begun);
  const today = dayInZone(begun.toISOString(), time_zone);
  const round: Round = {
    ...planning,
    schedule,
    times,
    grace_days,
    today,
    seller: await readSender(db, owner),
    amounts: await readAmounts(db, planning, today),
  };
  let left = MOST;
  for (const run of runs)
    for await (const candidate of dueOf(round, run)) {
      if (left === 0 || now().getTime() - begun.getTime() > ROUND) return;
      const waiting = await remind(round, run, candidate);
      left -= 1;
      if (waiting !== null && waiting >= MOST) return;
    }
}

/** The schedule for its calendar; without a known grace period nothing has a last day. */
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

interface Due extends Remindable {
  cause: string;
}

/** The subscriptions of a run that are to be looked at now, in order. */
async function* dueOf({ db, owner, now }: Round, { step, from, to }: Run): AsyncGenerator<Due> {
  const isCheckout = step.kind === "checkout_left";
  let after: Remindable | null = null;
  for (;;) {
    const page: Remindable[] = await findRemindable(db, owner, {
      isCheckout,
      from,
      to,
      after,
      limit: PAGE,
    });
    const due = page.map((row) => ({
      ...row,
      cause: `${step.step_id}:${row.subscription_id}:${row.moment.toISOString()}`,
    }));
    const settled = await readSettledCauses(
      db,
      owner,
      due.map(({ cause }) => cause),
      now(),
    );
    yield* due.filter(({ cause }) => !settled.has(cause));
    after = page.at(-1) ?? null;
    if (page.length < PAGE) return;
  }
}

/** Minutes until an outcome is looked at again; the others are settled. */
const AGAIN: Record<string, number> = { held: 10, unread: 10, off: 10, unreachable: 60 };

/** @returns how many messages wait at the service; null if nothing was handed over */
async function remind(round: Round, run: Run, due: Due): Promise<number | null> {
  const { db, owner, now } = round;
  const { outcome, again_at, waiting } = await decide(round, run, due);
  const minutes = AGAIN[outcome];
  await storePlanned(db, owner, {
    cause: due.cause,
    outcome,
    again_at:
      again_at ?? (minutes === undefined ? null : new Date(now().getTime() + minutes * MINUTE)),
    at: now(),
  });
  return waiting;
}

interface Decision {
  outcome: HandedOutcome | "held" | "settled" | "unread" | "without_link";
  again_at?: Date;
  waiting: number | null;
}

async function decide(round: Round, { step }: Run, due: Due): Promise<Decision> {
  const { db, owner, billing, messages, linkOf, times, schedule, today, now } = round;
  const { subscription_id, moment, cause } = due;
  const without = (outcome: Decision["outcome"]): Decision => ({ outcome, waiting: null });
  const link = linkOf(subscription_id);
  if (link === null) return without("without_link");
  const subscription = await billing
    .getSubscription(subscription_id)
    .catch((error: unknown) => failureOf(error));
  if ("kind" in subscription) {
    if (subscription.kind === "not_found") return without("settled");
    // A service that is away or slows us down ends the round, and what is due waits for the next.
    if (["unavailable", "rate_limited", "unauthorized"].includes(subscription.kind))
      throw new Error(`the subscription was not read (${subscription.kind})`);
    return without("unread");
  }
  if (!isStillOwed(subscription, step, moment)) return without("settled");
  const cycle = billingCycleOf(subscription);
  const summary = (await readContactSummary(db, owner, [{ id: subscription_id, cycle }]))(
    subscription_id,
  );
  const { promised_for, snoozed_until, language: last } = summary;
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
  const handed = await messages
    .handOver({
      kind: "reminder",
      cause,
      subscription_id: UUID.test(subscription_id) ? subscription_id : null,
      phone,
      email,
      channel: step.channel,
      expires_at: expires_at.toISOString(),
      ...writeStep({
        ...round,
        step,
        subscription,
        link,
        time_zone: schedule.time_zone,
        language: languageOf(step, { name: full_name, last, usual }),
      }),
    })
    .catch((error: unknown) => {
      // The text, number or address; other buyers' reminders go on.
      if (failureOf(error).kind === "validation") return null;
      throw error;
    });
  if (!handed) return without("unread");
  const isWaiting =
    handed.outcome === "queued" ||
    (handed.outcome === "known" && handed.message?.state === "queued");
  return {
    outcome: handed.outcome as HandedOutcome,
    waiting: handed.waiting,
    ...(isWaiting && { again_at: expires_at }),
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isStillOwed(
  { status, next_billing_cycle, created_at }: Subscription,
  { kind }: Run["step"],
  moment: Date,
): boolean {
  if (kind === "checkout_left")
    return status === "pending_checkout" && Date.parse(created_at) === moment.getTime();
  return (
    (status === "active" || status === "due") &&
    Date.parse(next_billing_cycle ?? "") === moment.getTime()
  );
}
