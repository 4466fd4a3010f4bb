import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { exportSubscriptions } from "#lib/subscriptions/export/data.ts";
import { parseExportSearch } from "#lib/subscriptions/export/search.ts";
import { readWords, WORDS_HEADER } from "#lib/subscriptions/search-queries.ts";

export const GET = sellerRoute("subscriptions:export", (scope, request) =>
  exportSubscriptions(
    scope,
    parseExportSearch(new URL(request.url).searchParams),
    readWords(request.headers.get(WORDS_HEADER)),
  ),
);
