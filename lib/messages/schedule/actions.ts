"use server";

import { ChangeReminderSchedule } from "#contract/reminders.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { requireMessageClient } from "#lib/billing/message-account.ts";

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
