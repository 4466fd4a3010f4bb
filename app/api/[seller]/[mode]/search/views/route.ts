import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listViews } from "#lib/search/views/data.ts";

export const GET = sellerRoute("subscriptions:read", listViews);
