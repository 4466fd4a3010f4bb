import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getResults } from "#lib/collection/results/data.ts";
import { readResultDays } from "#lib/collection/results/search.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request) =>
  getResults(scope, readResultDays(new URL(request.url).searchParams)),
);
