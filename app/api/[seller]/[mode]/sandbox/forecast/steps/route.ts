import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getStepPage } from "#lib/sandbox/data.ts";
import { parseClockTarget, parseStepPage } from "#lib/sandbox/search.ts";

export const GET = sellerRoute("sandbox:read", (scope, request) => {
  const parameters = new URL(request.url).searchParams;
  return getStepPage(scope, parseClockTarget(parameters), parseStepPage(parameters));
});
