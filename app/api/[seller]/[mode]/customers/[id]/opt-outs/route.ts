import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getCustomerMessages } from "#lib/messages/opt-outs/data.ts";

export const GET = sellerRoute("customers:read", (scope, _request, { id }: RecordParams) =>
  getCustomerMessages(scope, id),
);
