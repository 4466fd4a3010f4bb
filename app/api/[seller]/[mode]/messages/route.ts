import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getReminders } from "#lib/messages/reminders/data.ts";

export const GET = sellerRoute("subscriptions:read", getReminders);
