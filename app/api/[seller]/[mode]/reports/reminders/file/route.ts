import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { exportReminderResults } from "#lib/reports/reminders/data.ts";
import { readResultDays } from "#lib/reports/reminders/queries.ts";

export const GET = sellerRoute("reports:read", (scope, request) =>
  exportReminderResults(scope, readResultDays(new URL(request.url).searchParams)),
);
