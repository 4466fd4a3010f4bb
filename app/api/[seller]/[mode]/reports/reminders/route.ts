import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getReminderResults } from "#lib/reports/reminders/data.ts";
import { readResultDays } from "#lib/reports/reminders/queries.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request) =>
  getReminderResults(scope, readResultDays(new URL(request.url).searchParams)),
);
