import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getCustomerNotes } from "#lib/customers/data.ts";

export const GET = sellerRoute("customers:read", (scope, _request, { id }: RecordParams) =>
  getCustomerNotes(scope, id),
);
