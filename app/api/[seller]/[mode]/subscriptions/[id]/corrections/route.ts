import { readCorrections } from "#lib/audit-log/data.ts";
import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";

export const GET = sellerRoute("history:read", (scope, _request, { id }: RecordParams) =>
  readCorrections(scope, id),
);
