import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { findSubscriptions } from "#lib/search/data.ts";
import { readWords, WORDS_HEADER } from "#lib/search/queries.ts";
import { parseFindSearch } from "#lib/search/search.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request) =>
  findSubscriptions(
    scope,
    parseFindSearch(new URL(request.url).searchParams),
    readWords(request.headers.get(WORDS_HEADER)),
  ),
);
