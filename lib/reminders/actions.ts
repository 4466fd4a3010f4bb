"use server";

import * as z from "zod";
import { PreviewReminders, SendReminder } from "#contract/reminders.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { checkoutLinks } from "#lib/billing/checkout-base.ts";
import { isMessagesOnly, requireMessageClient } from "#lib/billing/message-account.ts";
import { database } from "#lib/db/pool.ts";
import { failureOf } from "#lib/failure.ts";
import { previewElsewhere } from "./preview.ts";
import { requireReminders } from "./source.ts";

/** Shows what a draft schedule would send next, and to whom; nothing is sent or changed. */
export const previewScheduleAction = sellerAction({
  name: "schedule.preview",
  permission: "connection:write",
  input: PreviewReminders,
  run: async (signedIn, draft, note) => {
    note.action = null;
    const { owner, billing } = signedIn;
    const messages = await requireMessageClient(owner);
    const db = database();
    if (!(await isMessagesOnly(db, owner))) return messages.previewReminders(draft);
    const linkOf = await checkoutLinks(signedIn);
    const now = () => new Date();
    return previewElsewhere({ db, owner, messages, billing, linkOf, now }, draft);
  },
});

/** Holds one step of the schedule for one buyer in this billing period. */
export const holdReminderAction = sellerAction({
  name: "reminder.hold",
  permission: "collection:write",
  input: SendReminder,
  run: async (signedIn, reminder, note) => {
    note.subscription_id = reminder.subscription_id;
    await (await requireReminders(signedIn)).holdReminders(reminder);
    return null;
  },
});

/** Ends a hold; succeeds also if it has already ended. */
export const releaseReminderAction = sellerAction({
  name: "reminder.release",
  permission: "collection:write",
  input: z.object({
    subscription_id: SendReminder.shape.subscription_id,
    hold_id: z.int().positive(),
  }),
  run: async (signedIn, { subscription_id, hold_id }, note) => {
    note.subscription_id = subscription_id;
    const reminders = await requireReminders(signedIn);
    await reminders.removeHold(hold_id).catch((error: unknown) => {
      if (failureOf(error).kind !== "not_found") throw error;
    });
    return null;
  },
});

/** Sends one step to one buyer before its time. */
export const sendReminderAction = sellerAction({
  name: "reminder.send",
  permission: "collection:write",
  input: SendReminder,
  run: async (signedIn, reminder, note) => {
    note.subscription_id = reminder.subscription_id;
    await (await requireReminders(signedIn)).sendReminder(reminder);
    return null;
  },
});
