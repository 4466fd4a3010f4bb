import type { RecordParams } from "#lib/auth/seller-page.ts";
import { sellerRoute } from "#lib/auth/seller-route.ts";
import { getDelivery } from "#lib/deliveries/data.ts";

export const GET = sellerRoute("webhooks:read", (scope, _request, { id }: RecordParams) =>
  getDelivery(scope, id),
);
