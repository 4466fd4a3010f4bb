import type { RecordParams } from "#lib/auth/seller-page.ts";
import { sellerRoute } from "#lib/auth/seller-route.ts";
import { getCustomer } from "#lib/customers/data.ts";

export const GET = sellerRoute("customers:read", (scope, _request, { id }: RecordParams) =>
  getCustomer(scope, id),
);
