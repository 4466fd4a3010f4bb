import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getNotifications } from "#lib/notifications/data.ts";

export const GET = sellerRoute("subscriptions:read", (scope) => getNotifications(scope));
