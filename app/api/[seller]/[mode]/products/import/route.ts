import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { checkUpload } from "#lib/products/sheet/data.ts";

export const POST = sellerRoute("products:write", checkUpload);
