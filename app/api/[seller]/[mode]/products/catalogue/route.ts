import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getCatalogue } from "#lib/products/data.ts";

export const GET = sellerRoute("products:read", getCatalogue);
