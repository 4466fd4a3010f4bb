import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getImportProgress } from "#lib/imports/run-data.ts";

export const GET = sellerRoute(
  "subscriptions:create",
  (scope, _request, { id }: RecordParams) => getImportProgress(scope, id),
);
