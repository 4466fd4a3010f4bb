import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listFacets } from "#lib/subscriptions/data.ts";

export const GET = sellerRoute("subscriptions:read", listFacets);
