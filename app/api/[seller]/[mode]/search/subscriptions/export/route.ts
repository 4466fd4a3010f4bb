import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { exportSubscriptions } from "#lib/search/export/data.ts";
import { parseExportSearch } from "#lib/search/export/search.ts";
import { readWords, WORDS_HEADER } from "#lib/search/queries.ts";

export const GET = sellerRoute("subscriptions:export", (scope, request) =>
  exportSubscriptions(
    scope,
    parseExportSearch(new URL(request.url).searchParams),
    readWords(request.headers.get(WORDS_HEADER)),
  ),
);
