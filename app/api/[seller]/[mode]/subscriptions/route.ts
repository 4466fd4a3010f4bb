import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { readSearchText } from "#lib/list-answer.ts";
import { listSubscriptions } from "#lib/subscriptions/data.ts";
import { parseSubscriptionSearch } from "#lib/subscriptions/search.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request) =>
  listSubscriptions(
    scope,
    parseSubscriptionSearch(new URL(request.url).searchParams),
    readSearchText(request),
  ),
);
