import type { RecordParams } from "#lib/auth/seller-page.ts";
import { sellerRoute } from "#lib/auth/seller-route.ts";
import { parsePaging } from "#lib/paging.ts";
import { findSubscriptionsOf } from "#lib/search/data.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request, { id }: RecordParams) =>
  findSubscriptionsOf(scope, id, parsePaging(new URL(request.url).searchParams)),
);
