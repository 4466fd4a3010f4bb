import type { RecordParams } from "#lib/auth/seller-page.ts";
import { sellerRoute } from "#lib/auth/seller-route.ts";
import { getDeskBuyer } from "#lib/collection/data.ts";

export const GET = sellerRoute("subscriptions:read", (scope, _request, { id }: RecordParams) =>
  getDeskBuyer(scope, id),
);
