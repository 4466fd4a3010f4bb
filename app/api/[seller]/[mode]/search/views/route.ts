import { sellerRoute } from "#lib/auth/seller-route.ts";
import { listViews } from "#lib/search/views/data.ts";

export const GET = sellerRoute("subscriptions:read", listViews);
