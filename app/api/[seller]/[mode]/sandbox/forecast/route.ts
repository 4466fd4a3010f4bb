import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getForecast } from "#lib/sandbox/data.ts";
import { parseClockTarget } from "#lib/sandbox/search.ts";

export const GET = sellerRoute("sandbox:read", (scope, request) =>
  getForecast(scope, parseClockTarget(new URL(request.url).searchParams)),
);
