import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getCounts } from "#lib/subscriptions/data.ts";

export const GET = sellerRoute("subscriptions:read", getCounts);
