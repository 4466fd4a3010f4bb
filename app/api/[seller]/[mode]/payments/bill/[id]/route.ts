import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getBill } from "#lib/payments/bills/files.ts";

export const GET = sellerRoute("payments:read", (scope, _request, { id }: RecordParams) =>
  getBill(scope, id),
);
