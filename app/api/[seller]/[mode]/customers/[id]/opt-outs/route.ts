import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getCustomerOptOuts } from "#lib/messages/opt-outs/data.ts";

export const GET = sellerRoute("customers:read", (scope, _request, { id }: RecordParams) =>
  getCustomerOptOuts(scope, id),
);
