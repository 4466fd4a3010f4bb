import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { previewExport } from "#lib/subscriptions/export/data.ts";
import { readWords, WORDS_HEADER } from "#lib/subscriptions/search-queries.ts";
import { parseFindSearch } from "#lib/subscriptions/list-search.ts";

export const GET = sellerRoute("subscriptions:export", (scope, request) =>
  previewExport(
    scope,
    parseFindSearch(new URL(request.url).searchParams),
    readWords(request.headers.get(WORDS_HEADER)),
  ),
);
