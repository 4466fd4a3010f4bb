import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getReminders, getTextsForBuyer } from "#lib/messages/reminders/data.ts";
import { parseTextsFor } from "#lib/messages/reminders/queries.ts";

export const GET = sellerRoute("subscriptions:read", async (scope, request) => {
  const subscription = parseTextsFor(new URL(request.url).searchParams);
  return subscription === null ? getReminders(scope) : getTextsForBuyer(scope, subscription);
});
