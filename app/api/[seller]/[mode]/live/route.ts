import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { openLiveStream } from "#lib/live/open-live.ts";

export const GET = sellerRoute("subscriptions:read", openLiveStream);
