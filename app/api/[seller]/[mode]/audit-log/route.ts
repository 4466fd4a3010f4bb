import { auditFile } from "#lib/audit-log/data.ts";
import { parseAuditSearch } from "#lib/audit-log/search.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";

export const GET = sellerRoute("audit:read", (scope, request) =>
  auditFile(scope, parseAuditSearch(new URL(request.url).searchParams)),
);
