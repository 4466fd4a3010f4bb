import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getPaymentPhoto } from "#lib/collection/by-hand/data.ts";

export const GET = sellerRoute("payments:read", (scope, _request, { id }: RecordParams) =>
  getPaymentPhoto(scope, id),
);
