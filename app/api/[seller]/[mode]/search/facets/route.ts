import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listFacets } from "#lib/subscriptions/search-data.ts";

export const GET = sellerRoute("subscriptions:read", listFacets);
