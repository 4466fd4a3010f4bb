"use server";

import { ChangeReminderSchedule, PreviewReminders } from "#contract/reminders.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { requireMessageClient } from "#lib/billing/account.ts";

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

/** What a draft would send next, to real buyers; nothing is sent or changed. */
export const previewScheduleAction = sellerAction({
  name: "schedule.preview",
  permission: "connection:write",
  input: PreviewReminders,
  run: async ({ owner }, draft, note) => {
    note.action = null;
    return (await requireMessageClient(owner)).previewReminders(draft);
  },
});
