import { sellerRoute } from "#lib/auth/seller-route.ts";
import { openLive } from "#lib/live/open-live.ts";

export const GET = sellerRoute("subscriptions:read", openLive);
