import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listEndingSoon } from "#lib/overview/data.ts";

export const GET = sellerRoute("subscriptions:read", listEndingSoon);
