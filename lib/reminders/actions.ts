"use server";

import { PreviewReminders } from "#contract/reminders.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { checkoutLinks } from "#lib/billing/checkout-base.ts";
import { isMessagesOnly, requireMessageClient } from "#lib/billing/message-account.ts";
import { database } from "#lib/db/pool.ts";
import { previewElsewhere } from "./preview.ts";

/** What a draft would send next, to real buyers; nothing is sent or changed. */
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
