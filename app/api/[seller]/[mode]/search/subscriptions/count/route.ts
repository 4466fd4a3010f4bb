import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { previewExport } from "#lib/search/export/data.ts";
import { readWords, WORDS_HEADER } from "#lib/search/queries.ts";
import { parseFindSearch } from "#lib/search/search.ts";

export const GET = sellerRoute("subscriptions:export", (scope, request) =>
  previewExport(
    scope,
    parseFindSearch(new URL(request.url).searchParams),
    readWords(request.headers.get(WORDS_HEADER)),
  ),
);
