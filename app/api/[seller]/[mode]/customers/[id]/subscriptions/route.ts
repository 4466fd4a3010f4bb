import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listSubscriptionsOf } from "#lib/customers/data.ts";
import { parseCustomerSearch } from "#lib/customers/search.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request, { id }: RecordParams) =>
  listSubscriptionsOf(scope, id, parseCustomerSearch(new URL(request.url).searchParams).page),
);
