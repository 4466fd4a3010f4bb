import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { exportSubscriptions } from "#lib/subscriptions/export/data.ts";
import { parseExportSearch } from "#lib/subscriptions/export/queries.ts";
import { readSearchText } from "#lib/list-answer.ts";

export const GET = sellerRoute("subscriptions:export", (scope, request) =>
  exportSubscriptions(
    scope,
    parseExportSearch(new URL(request.url).searchParams),
    readSearchText(request),
  ),
);
