import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listWebhooks } from "#lib/webhooks/data.ts";

export const GET = sellerRoute("webhooks:read", listWebhooks);
