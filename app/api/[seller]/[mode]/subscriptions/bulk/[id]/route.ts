import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getBulkRun } from "#lib/subscriptions/bulk/data.ts";

export const GET = sellerRoute("subscriptions:read", (scope, _request, { id }: RecordParams) =>
  getBulkRun(scope, id),
);
