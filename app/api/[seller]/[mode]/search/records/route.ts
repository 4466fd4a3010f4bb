import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { findRecords } from "#lib/subscriptions/search-data.ts";
import { readWords, WORDS_HEADER } from "#lib/subscriptions/search-queries.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request) =>
  findRecords(scope, readWords(request.headers.get(WORDS_HEADER))),
);
