import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { findSubscriptions } from "#lib/subscriptions/search-data.ts";
import { readWords, WORDS_HEADER } from "#lib/subscriptions/search-queries.ts";
import { parseFindSearch } from "#lib/subscriptions/list-search.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request) =>
  findSubscriptions(
    scope,
    parseFindSearch(new URL(request.url).searchParams),
    readWords(request.headers.get(WORDS_HEADER)),
  ),
);
