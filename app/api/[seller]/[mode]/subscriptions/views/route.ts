import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listViews } from "#lib/subscriptions/views/data.ts";

export const GET = sellerRoute("subscriptions:read", listViews);
