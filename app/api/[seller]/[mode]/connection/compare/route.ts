import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getComparisons } from "#lib/search-index/data.ts";

export const GET = sellerRoute("connection:read", getComparisons);
