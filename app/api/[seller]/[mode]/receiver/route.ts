import { sellerRoute } from "#lib/auth/seller-route.ts";
import { getReceiver } from "#lib/receiver/data.ts";

export const GET = sellerRoute("webhooks:read", getReceiver);
