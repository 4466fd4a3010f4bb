import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getCollectionSettings } from "#lib/collection/data.ts";

export const GET = sellerRoute("subscriptions:read", getCollectionSettings);
