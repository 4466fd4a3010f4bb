import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getCopySettings } from "#lib/search-index/data.ts";

export const GET = sellerRoute("connection:read", getCopySettings);
