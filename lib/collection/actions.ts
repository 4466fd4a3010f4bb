"use server";

import * as z from "zod";
import { LanguageTag } from "#contract/messages.ts";
import { RescheduleSubscription } from "#contract/subscriptions.ts";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import { sellerAction, type AuditNote } from "#lib/auth/guards/seller-action.ts";
import { AppError } from "#lib/failure.ts";
import { fieldFailure } from "#lib/auth/field-failure.ts";
import { addDays, isDay } from "#lib/format/calendar.ts";
import { database } from "#lib/db/pool.ts";
import { dayInZone } from "#lib/format/format.ts";
import { message } from "#lib/i18n/message.ts";
import { serviceNow } from "#lib/billing/service-clock.ts";
import {
  actorOf,
  saveContact,
  readContactSummary,
  undoContact,
  type NewContact,
} from "./contacts-store.ts";
import { sendHold } from "./reminder-holds.ts";
import { readTeam, saveGrace } from "./settings-store.ts";
import { requireBillingCycle } from "./subscription-cycle.ts";
import type { ContactResult } from "./queries.ts";
import { CHANNELS, MAX_NOTE_LENGTH, MAX_DAYS_AHEAD, readNote } from "./rules.ts";

const { subscription_id } = RescheduleSubscription.shape;
const contactId = z.string().regex(/^\d{1,18}$/);

/**
 * Logs that a message was opened in an app, a link was copied or a call started. Duebook cannot
 * know whether it was sent.
 */
export const remindAction = sellerAction({
  name: "collection.remind",
  permission: "collection:write",
  input: z.object({
    subscription_id,
    channel: z.enum(CHANNELS),
    language: LanguageTag.nullable(),
    /** The last contact the user saw; a colleague's newer reminder is returned as a conflict. */
    seen: contactId.nullable(),
  }),
  run: (seller, { channel, language, seen, ...which }, note) =>
    keep(seller, { ...which, kind: "reminder", channel, language, seen }, note, {
      channel,
      ...(language && { language }),
    }),
});

const Note = z
  .string()
  .max(4_000)
  .transform((text, context) => {
    const read = readNote(text);
    if (read !== null) return read;
    const problem = message("collection.note.invalid", { count: MAX_NOTE_LENGTH });
    context.addIssue({ code: "custom", message: problem });
    return z.NEVER;
  });

/** The text may be personal to a buyer, so it is not in the audit log, which is never deleted. */
export const noteBuyerAction = sellerAction({
  name: "collection.note",
  permission: "collection:write",
  input: z.object({ subscription_id, text: Note }),
  run: (seller, { text, ...which }, note) =>
    keep(seller, { ...which, kind: "note", detail: { text } }, note, {}),
});

const Day = z.string().refine(isDay, message("collection.day.invalid"));

/** The day on which the buyer promised to pay; null withdraws the promise. */
export const promiseAction = sellerAction({
  name: "collection.promise",
  permission: "collection:write",
  input: z.object({ subscription_id, promised_for: Day.nullable() }),
  run: async (seller, { promised_for, ...which }, note) => {
    const now = await serviceNow(seller);
    requireAhead(seller, now, { promised_for }, 0);
    const detail = { promised_for };
    return keep(seller, { ...which, kind: "promise", detail, now }, note, detail);
  },
});

/** Hides the buyer until that day; null shows them again. */
export const snoozeAction = sellerAction({
  name: "collection.snooze",
  permission: "collection:write",
  input: z.object({ subscription_id, snoozed_until: Day.nullable() }),
  run: async (seller, { snoozed_until, ...which }, note) => {
    const now = await serviceNow(seller);
    requireAhead(seller, now, { snoozed_until }, 1);
    const detail = { snoozed_until };
    return keep(seller, { ...which, kind: "snooze", detail, now }, note, detail);
  },
});

export const assignAction = sellerAction({
  name: "collection.assign",
  permission: "collection:write",
  input: z.object({ subscription_id, person_id: z.uuid().nullable() }),
  run: async (seller, { person_id, ...which }, note) => {
    const team = await readTeam(database(), seller.owner);
    const person = team.find(({ id }) => id === person_id);
    if (person_id !== null && !person) throw new AppError({ kind: "not_found" });
    const detail = { assigned_to: person_id, assigned_name: person?.name ?? null };
    const audited = { assigned_to: detail.assigned_name };
    return keep(seller, { ...which, kind: "assign", detail }, note, audited);
  },
});

/** Undoes the user's own contact; the audit log keeps both entries. */
export const undoContactAction = sellerAction({
  name: "collection.undo",
  permission: "collection:write",
  input: z.object({ id: contactId }),
  run: async (seller, { id }, note) => {
    const contact = await undoContact(database(), actorOf(seller), id);
    note.subscription_id = contact.subscription_id;
    note.detail = { contact: contact.kind };
    // The contact is already undone, whatever the API answers.
    const contacted = await contactedNow(seller, contact.subscription_id).catch(() => null);
    const is_hold_waiting = await holdFor(seller, contact);
    return { subscription_id: contact.subscription_id, contacted, is_hold_waiting };
  },
});

const LONGEST_GRACE = 90;

/** Sets the grace period, unless the seller's account has one; null returns to Duebook's estimate. */
export const setGraceAction = sellerAction({
  name: "collection.set-grace",
  permission: "seller:write",
  input: z.object({
    days: z.number().int().min(0).max(LONGEST_GRACE).nullable(),
  }),
  run: async ({ owner }, { days }, note) => {
    note.detail = { grace_days: days };
    if (!(await saveGrace(database(), owner.seller_id, days)))
      throw new AppError({ kind: "conflict", detail: message("collection.grace.inAccount") });
    return null;
  },
});

interface ContactToSave extends Omit<NewContact, "cycle" | "clock_at"> {
  /** The current time by the collection's clock, if already known. */
  now?: string;
}

async function keep(
  seller: SignedIn,
  { now: known, ...contact }: ContactToSave,
  note: AuditNote,
  detail: NonNullable<AuditNote["detail"]>,
): Promise<ContactResult> {
  const { subscription_id: id } = contact;
  const [cycle, now] = await Promise.all([
    requireBillingCycle(seller, id),
    known ?? serviceNow(seller),
  ]);
  const clock_at = now === seller.now ? null : now;
  const kept = await saveContact(database(), actorOf(seller), { ...contact, cycle, clock_at });
  note.subscription_id = id;
  note.detail = detail;
  if (kept.state === "overtaken") note.action = null;
  const is_hold_waiting = await holdFor(seller, contact);
  return { ...kept, contacted: await contactedNow(seller, id, cycle), is_hold_waiting };
}

/** @returns whether the service must still be told to hold the reminders, or to send them again */
const holdFor = async (
  { owner }: SignedIn,
  { kind, subscription_id }: Pick<NewContact, "kind" | "subscription_id">,
) => (kind === "promise" || kind === "snooze") && (await sendHold(owner, subscription_id));

async function contactedNow(seller: SignedIn, id: string, known?: string | null) {
  const cycle = known === undefined ? await requireBillingCycle(seller, id) : known;
  return (await readContactSummary(database(), seller.owner, [{ id, cycle }]))(id);
}

/**
 * Requires each day to be from `fewest` to MAX_DAYS_AHEAD days ahead.
 * @throws AppError `validation` on its field
 */
function requireAhead(
  { seller }: SignedIn,
  now: string,
  days: Record<string, string | null>,
  fewest: number,
): void {
  const today = dayInZone(now, seller.time_zone);
  const [first, last] = [addDays(today, fewest), addDays(today, MAX_DAYS_AHEAD)];
  for (const [field, day] of Object.entries(days))
    if (day !== null && (day < first || day > last))
      throw fieldFailure(field, message("collection.day.notAhead"));
}
