import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { compareUpload } from "#lib/payments/portal/data.ts";

export const POST = sellerRoute("connection:write", compareUpload);
