import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { uploadImport } from "#lib/imports/data.ts";

export const POST = sellerRoute("subscriptions:create", uploadImport);
