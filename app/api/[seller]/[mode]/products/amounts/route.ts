import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getAmounts } from "#lib/products/data.ts";

export const GET = sellerRoute("subscriptions:read", getAmounts);
