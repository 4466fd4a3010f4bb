"use server";

import * as z from "zod";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { database } from "#lib/db/pool.ts";
import { markNotificationsRead } from "./notification-store.ts";

/** Marks notifications as read. Not in the audit log, because it concerns only the user. */
export const markNotificationsReadAction = sellerAction({
  name: "notifications.read",
  permission: "subscriptions:read",
  input: z.object({ until: z.iso.datetime({ offset: true }) }),
  run: async ({ owner, user }, { until }, note) => {
    note.action = null;
    await markNotificationsRead(database(), owner, { user_id: user.id, until });
    return null;
  },
});
