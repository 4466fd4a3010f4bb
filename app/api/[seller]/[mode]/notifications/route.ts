import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getNotifications } from "#lib/notifications/data.ts";
import { UNREAD } from "#lib/notifications/queries.ts";

export const GET = sellerRoute("subscriptions:read", async (scope, request) => {
  const notifications = await getNotifications(scope);
  return new URL(request.url).searchParams.has(UNREAD) ? notifications.unread : notifications;
});
