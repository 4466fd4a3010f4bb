import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getBuyer } from "#lib/collection/data.ts";
import { parseQueueSearch } from "#lib/collection/search.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request, { id }: RecordParams) => {
  const { ahead } = parseQueueSearch(new URL(request.url).searchParams);
  return getBuyer(scope, id, ahead);
});
