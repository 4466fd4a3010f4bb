import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { importTemplate } from "#lib/imports/data.ts";

export const GET = sellerRoute("subscriptions:create", importTemplate);
