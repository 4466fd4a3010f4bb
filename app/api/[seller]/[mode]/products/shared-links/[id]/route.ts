import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getSharedLinks } from "#lib/products/data.ts";

export const GET = sellerRoute("products:write", (scope, _request, { id }: RecordParams) =>
  getSharedLinks(scope, id),
);
