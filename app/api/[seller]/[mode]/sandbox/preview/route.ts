import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getPreview } from "#lib/sandbox/data.ts";
import { parseClockTarget, parsePreviewSearch } from "#lib/sandbox/search.ts";

export const GET = sellerRoute("sandbox:read", (scope, request) => {
  const parameters = new URL(request.url).searchParams;
  return getPreview(scope, parseClockTarget(parameters), parsePreviewSearch(parameters));
});
