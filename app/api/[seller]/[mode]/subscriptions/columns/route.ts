import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getColumns } from "#lib/subscriptions/columns/data.ts";

export const GET = sellerRoute("subscriptions:read", getColumns);
