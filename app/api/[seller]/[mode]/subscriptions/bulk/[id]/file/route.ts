import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { bulkRunFile } from "#lib/subscriptions/bulk/run-file.ts";

export const GET = sellerRoute(
  "subscriptions:export",
  (scope, _request, { id }: RecordParams) => bulkRunFile(scope, id),
);
