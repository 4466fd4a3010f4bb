import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listDesk } from "#lib/collection/data.ts";
import { parseDeskSearch } from "#lib/collection/search.ts";
import { readWords, WORDS_HEADER } from "#lib/subscriptions/search-queries.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request) => {
  const { searchParams } = new URL(request.url);
  const words = readWords(request.headers.get(WORDS_HEADER));
  return listDesk(scope, parseDeskSearch(searchParams), words, searchParams.get("after"));
});
