import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listProducts } from "#lib/products/data.ts";
import { parseProductSearch } from "#lib/products/search.ts";

export const GET = sellerRoute("products:read", (scope, request) =>
  listProducts(scope, parseProductSearch(new URL(request.url).searchParams)),
);
