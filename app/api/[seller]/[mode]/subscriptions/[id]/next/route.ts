import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getNextEvent } from "#lib/sandbox/data.ts";

export const GET = sellerRoute("sandbox:read", (scope, _request, { id }: RecordParams) =>
  getNextEvent(scope, id),
);
