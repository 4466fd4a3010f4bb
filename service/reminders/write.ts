import type { MessageLanguage } from "#contract/names.ts";
import { REMINDER_WITHDRAWALS } from "#contract/field-messages.ts";
import { selectBranding } from "../checkout/branding.ts";
import {
  isStillOwed,
  lockCheckout,
  takesPayments,
  type LockedCheckout,
} from "../checkout/open.ts";
import type { Database } from "../db/database.ts";
import { ApiError } from "../http/errors.ts";
import type { WriteMessage } from "../messages/send.ts";
import { localDate } from "#contract/process/local-day.ts";
import {
  endOfDay,
  nextAllowed,
  type ReminderStep,
} from "#contract/process/reminder-calendar.ts";
import { writeHanded } from "./handed.ts";
import { recipientKey, stopAddress } from "./recipients.ts";
import {
  findObstacles,
  moveReminder,
  noteSending,
  selectReminder,
  type Reminder,
} from "./reminder-store.ts";
import { selectSchedule, type Schedule } from "./schedule-store.ts";
import { languageFor, writeReminder } from "./text.ts";

const MINUTE = 60_000;
/** Milliseconds for which a reminder waits while a payment is under way. */
const WAIT_FOR_PAYMENT = 10 * MINUTE;

type Reason = keyof typeof REMINDER_WITHDRAWALS;

const withdrawn = (reason: Reason) => ({
  withdrawn: { code: reason, text: REMINDER_WITHDRAWALS[reason] },
});

/**
 * Writes a reminder's text when it is about to be sent, under the lock of its subscription; a reminder
 * that must no longer be sent is withdrawn, and one that must wait is postponed.
 */
export function reminderWriter({
  now: clock,
  publicUrl,
}: {
  now: () => Date;
  publicUrl: string;
}): WriteMessage {
  return async (database, message) => {
    const { message_id, kind, channel, phone, email } = message;
    const realNow = clock();
    const reminder = kind === "reminder" ? await selectReminder(database, message) : null;
    if (!reminder) {
      const handed = await writeHanded(database, message, { now: realNow, publicUrl });
      return typeof handed === "string" ? withdrawn(handed) : handed;
    }
    const checkout = await lockIfThere(database, reminder.subscription_id, realNow);
    if (!checkout) return withdrawn("gone");
    const { seller, subscription, now } = checkout;
    const schedule = await selectSchedule(database, seller.seller_id);
    const step = schedule?.steps.find(({ step_id }) => step_id === reminder.step_id);
    if (!schedule?.is_on || !step) return withdrawn("off");
    const day = localDate(now, seller.time_zone).toString();
    const found = await findObstacles(database, message_id, reminder, { now, day });
    const reason = reasonAgainst({ reminder, checkout, step, schedule }, found);
    if (reason) return withdrawn(reason);
    const allowed = nextAllowed(schedule, seller.time_zone, now);
    if (found.is_paying || allowed > now) {
      const wait = Math.max(
        allowed.getTime() - now.getTime(),
        found.is_paying ? WAIT_FOR_PAYMENT : 0,
      );
      const until = endOfDay(allowed, seller.time_zone);
      if (until > reminder.until) await moveReminder(database, message, until);
      const real = (at: Date) => new Date(at.getTime() - seller.clock_offset_ms);
      return {
        later: new Date(realNow.getTime() + wait),
        expires_at: real(until > reminder.until ? until : reminder.until),
      };
    }
    const { language } = await languageFor(database, subscription, schedule, step);
    await noteSending(database, message, now, language);
    return {
      ...(await reminderText(database, {
        checkout,
        step,
        language,
        usual: schedule.language,
        channel,
        publicUrl,
        buyer: { phone, email },
      })),
      language,
    };
  };
}

interface Rendered {
  checkout: Pick<
    LockedCheckout,
    "seller" | "subscription" | "amount" | "vatRate" | "period" | "now"
  >;
  step: Pick<ReminderStep, "texts">;
  language: string;
  usual: MessageLanguage;
  channel: string | null;
  publicUrl: string;
  buyer: { phone: string; email: string };
}

async function reminderText(database: Database, { buyer, ...rendered }: Rendered) {
  const { seller, subscription } = rendered.checkout;
  const { seller_id } = seller;
  const { customer_id, product_id } = subscription;
  const key = await recipientKey(database, { seller_id, customer_id, ...buyer });
  const stopUrl = stopAddress(rendered.publicUrl, key);
  const { pay_otherwise } = await selectBranding(database, seller_id, product_id);
  const written = writeReminder({ ...rendered, payTo: pay_otherwise, stopUrl });
  return { ...written, unsubscribeUrl: stopUrl };
}

async function lockIfThere(database: Database, subscriptionId: string, realNow: Date) {
  try {
    return await lockCheckout(database, subscriptionId, realNow);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

interface Case {
  reminder: Reminder;
  checkout: LockedCheckout;
  step: ReminderStep;
  schedule: Schedule;
}

function reasonAgainst(
  { reminder, checkout, step, schedule }: Case,
  found: Awaited<ReturnType<typeof findObstacles>>,
): Reason | null {
  const { subscription, now } = checkout;
  if (!takesPayments(checkout)) return "suspended";
  if (!isStillOwed(reminder, subscription) || found.is_taken_up) return "settled";
  if (!fitsStatus(step, subscription.status)) return "settled";
  if (found.has_opted_out) return "opted_out";
  if (found.is_held) return "held";
  if (found.is_superseded) return "superseded";
  if (now >= reminder.until) return "late";
  const { most_a_week } = schedule;
  return most_a_week !== null && found.of_week >= most_a_week ? "limit" : null;
}

/** Whether a step fits that status. One before the billing date may be put off until it is due. */
export const fitsStatus = ({ kind }: Pick<ReminderStep, "kind">, status: string): boolean =>
  kind === "checkout_left"
    ? status === "pending_checkout"
    : status === "active" || status === "due";
