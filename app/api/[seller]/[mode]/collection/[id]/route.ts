import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getDeskBuyer } from "#lib/collection/data.ts";
import { parseDeskSearch } from "#lib/collection/search.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request, { id }: RecordParams) => {
  const { ahead } = parseDeskSearch(new URL(request.url).searchParams);
  return getDeskBuyer(scope, id, ahead);
});
