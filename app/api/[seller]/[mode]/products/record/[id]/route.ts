import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getProduct } from "#lib/products/data.ts";

export const GET = sellerRoute("products:read", (scope, _request, { id }: RecordParams) =>
  getProduct(scope, id),
);
