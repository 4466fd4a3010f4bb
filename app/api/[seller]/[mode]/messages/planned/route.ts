import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getPlanned } from "#lib/reminders/data.ts";

export const GET = sellerRoute("subscriptions:read", getPlanned);
