import { recordFile } from "#lib/audit/data.ts";
import { parseRecordSearch } from "#lib/audit/search.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";

export const GET = sellerRoute("audit:read", (scope, request) =>
  recordFile(scope, parseRecordSearch(new URL(request.url).searchParams)),
);
