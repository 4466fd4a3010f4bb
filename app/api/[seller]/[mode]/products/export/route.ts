import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { exportCatalogue } from "#lib/products/sheet/data.ts";

export const GET = sellerRoute("products:write", exportCatalogue);
