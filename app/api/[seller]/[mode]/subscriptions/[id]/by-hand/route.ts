import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getPaidByHand } from "#lib/collection/by-hand/data.ts";
import { recordPayment } from "#lib/collection/by-hand/record.ts";

export const GET = sellerRoute("payments:read", (scope, _request, { id }: RecordParams) =>
  getPaidByHand(scope, id),
);

export const POST = sellerRoute("payments:record", (scope, request, { id }: RecordParams) =>
  recordPayment(scope, request, id),
);
