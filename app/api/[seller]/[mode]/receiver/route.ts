import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getReceiver } from "#lib/receiver/data.ts";
import { parseReceivedSearch } from "#lib/receiver/queries.ts";

export const GET = sellerRoute("webhooks:read", (scope, request) =>
  getReceiver(scope, parseReceivedSearch(new URL(request.url).searchParams)),
);
