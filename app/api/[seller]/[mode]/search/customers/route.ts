import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { parsePaging } from "#lib/paging.ts";
import { findCustomers } from "#lib/subscriptions/search-data.ts";
import { readWords, WORDS_HEADER } from "#lib/subscriptions/search-queries.ts";

export const GET = sellerRoute("customers:read", (scope, request) =>
  findCustomers(
    scope,
    readWords(request.headers.get(WORDS_HEADER)),
    parsePaging(new URL(request.url).searchParams),
  ),
);
