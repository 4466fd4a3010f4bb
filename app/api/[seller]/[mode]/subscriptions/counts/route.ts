import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getCounts } from "#lib/search-index/query/subscription-counts.ts";

export const GET = sellerRoute("subscriptions:read", getCounts);
