import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getDelivery } from "#lib/deliveries/data.ts";

export const GET = sellerRoute("webhooks:read", (scope, _request, { id }: RecordParams) =>
  getDelivery(scope, id),
);
