import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { exportResults } from "#lib/collection/results/data.ts";
import { readResultDays } from "#lib/collection/results/search.ts";

export const GET = sellerRoute("figures:read", (scope, request) =>
  exportResults(scope, readResultDays(new URL(request.url).searchParams)),
);
