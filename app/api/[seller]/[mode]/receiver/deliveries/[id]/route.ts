import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getReceivedDelivery } from "#lib/receiver/data.ts";

export const GET = sellerRoute("webhooks:read", (scope, _request, { id }: RecordParams) =>
  getReceivedDelivery(scope, id),
);
