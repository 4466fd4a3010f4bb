import type { RecordParams } from "#lib/auth/seller-page.ts";
import { sellerRoute } from "#lib/auth/seller-route.ts";
import { listSubscriptionsOf } from "#lib/customers/data.ts";
import { parseCustomerSearch } from "#lib/customers/search.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request, { id }: RecordParams) => {
  const { page } = parseCustomerSearch(new URL(request.url).searchParams);
  return listSubscriptionsOf(scope, id, page);
});
