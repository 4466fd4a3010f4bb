import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getQueue } from "#lib/collection/data.ts";
import { parseQueueSearch } from "#lib/collection/search.ts";
import { readSearchText } from "#lib/list-answer.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request) => {
  const { searchParams } = new URL(request.url);
  const words = readSearchText(request);
  return getQueue(scope, parseQueueSearch(searchParams), words, searchParams.get("after"));
});
