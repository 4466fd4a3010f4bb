import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listProducts } from "#lib/products/data.ts";

export const GET = sellerRoute("products:read", listProducts);
