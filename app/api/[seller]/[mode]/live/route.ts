import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { openLive } from "#lib/live/open-live.ts";

export const GET = sellerRoute("subscriptions:read", openLive);
