import { sellerRoute } from "#lib/auth/seller-route.ts";
import { getMessages } from "#lib/messages/data.ts";

export const GET = sellerRoute("subscriptions:read", getMessages);
