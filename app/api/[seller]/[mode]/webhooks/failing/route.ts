import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listFailing } from "#lib/webhooks/data.ts";

export const GET = sellerRoute("webhooks:read", listFailing);
