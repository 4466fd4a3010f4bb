import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listDue } from "#lib/overview/data.ts";

export const GET = sellerRoute("subscriptions:read", listDue);
