import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listDeliveries } from "#lib/deliveries/data.ts";
import { parseDeliverySearch } from "#lib/deliveries/search.ts";

export const GET = sellerRoute("webhooks:read", (scope, request) =>
  listDeliveries(scope, parseDeliverySearch(new URL(request.url).searchParams)),
);
