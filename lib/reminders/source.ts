import "server-only";
import { plannedPlace } from "#contract/process/planned-page.ts";
import type { PlannedReminders, SendReminder } from "#contract/reminders.ts";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import { checkoutLinks } from "#lib/billing/checkout-base.ts";
import { findMessageClient, isMessagesOnly } from "#lib/billing/message-account.ts";
import { database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import { holdHere, plannedHere, releaseHere, sendHere } from "./planned.ts";

/** The program that reminds a seller's buyers, as the desk shows and controls it. */
interface ReminderSource {
  /** Today's reminders (planned, sent and held) after a cursor of `plannedPlace`. */
  readPlanned: (after: string | null) => Promise<PlannedReminders>;
  /** Holds one step of the schedule for one buyer in this billing period. */
  holdReminders: (reminder: SendReminder) => Promise<unknown>;
  /** @throws AppError `not_found` if the hold ended already */
  removeHold: (id: number) => Promise<unknown>;
  /** @throws AppError `conflict` with the reason why the reminder cannot be sent now */
  sendReminder: (reminder: SendReminder) => Promise<unknown>;
}

/**
 * The service that keeps the seller's subscriptions, else this dashboard, which plans for another
 * company's service; null if nothing sends messages for the seller.
 */
export async function findReminders({
  owner,
  billing,
}: Pick<SignedIn, "owner" | "billing">): Promise<ReminderSource | null> {
  const db = database();
  const messages = await findMessageClient(owner);
  if (!messages || !(await isMessagesOnly(db, owner))) return messages;
  const linkOf = await checkoutLinks({ owner });
  const planning = { db, owner, messages, billing, linkOf, now: () => new Date() };
  return {
    readPlanned: (after) => plannedHere(planning, plannedPlace(after)),
    holdReminders: (reminder) => holdHere(planning, reminder),
    removeHold: (id) => releaseHere(planning, id),
    sendReminder: (reminder) => sendHere(planning, reminder),
  };
}

/** @throws AppError `not_offered` if nothing sends messages for the seller */
export async function requireReminders(signedIn: SignedIn): Promise<ReminderSource> {
  const reminders = await findReminders(signedIn);
  if (reminders) return reminders;
  throw new AppError({ kind: "not_offered" });
}
