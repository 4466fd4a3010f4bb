import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listDesk } from "#lib/collection/data.ts";
import { parseDeskSearch } from "#lib/collection/search.ts";
import { readSearchText } from "#lib/list-answer.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request) => {
  const { searchParams } = new URL(request.url);
  const words = readSearchText(request);
  return listDesk(scope, parseDeskSearch(searchParams), words, searchParams.get("after"));
});
