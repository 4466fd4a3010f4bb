"use server";

import * as z from "zod";
import { ChangeReminderSchedule, SendReminder } from "#contract/reminders.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { requireMessageClient } from "#lib/billing/message-account.ts";
import { failureOf } from "#lib/failure.ts";

/** Saves the schedule of reminders, and switches it on or off. @returns the stored schedule */
export const saveScheduleAction = sellerAction({
  name: "schedule.save",
  permission: "connection:write",
  input: ChangeReminderSchedule,
  run: async ({ owner }, body, note) => {
    const { is_on, steps } = body;
    note.detail = {
      ...(is_on !== undefined && { is_on }),
      ...(steps && { steps: steps.length }),
    };
    return (await requireMessageClient(owner)).changeSchedule(body);
  },
});

/** Keeps one step from going to one buyer in this period. */
export const holdReminderAction = sellerAction({
  name: "reminder.hold",
  permission: "collection:write",
  input: SendReminder,
  run: async ({ owner }, reminder, note) => {
    note.subscription_id = reminder.subscription_id;
    await (await requireMessageClient(owner)).holdReminders(reminder);
    return null;
  },
});

/** Ends a hold; one that has ended already counts as done. */
export const releaseReminderAction = sellerAction({
  name: "reminder.release",
  permission: "collection:write",
  input: z.object({
    subscription_id: SendReminder.shape.subscription_id,
    hold_id: z.int().positive(),
  }),
  run: async ({ owner }, { subscription_id, hold_id }, note) => {
    note.subscription_id = subscription_id;
    const client = await requireMessageClient(owner);
    await client.removeHold(hold_id).catch((error: unknown) => {
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
  run: async ({ owner }, reminder, note) => {
    note.subscription_id = reminder.subscription_id;
    await (await requireMessageClient(owner)).sendReminder(reminder);
    return null;
  },
});
