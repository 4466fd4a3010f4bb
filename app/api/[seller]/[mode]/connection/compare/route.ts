import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getReconciliation } from "#lib/search-index/compare/store.ts";

export const GET = sellerRoute("connection:read", getReconciliation);
