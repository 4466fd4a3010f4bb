import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getColumns } from "#lib/subscriptions/data.ts";

export const GET = sellerRoute("subscriptions:read", getColumns);
