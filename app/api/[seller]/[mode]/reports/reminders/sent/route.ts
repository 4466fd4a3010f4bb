import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getSentResults } from "#lib/reports/reminders/data.ts";
import { readResultDays } from "#lib/reports/reminders/queries.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request) =>
  getSentResults(scope, readResultDays(new URL(request.url).searchParams)),
);
