import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listBulkRuns } from "#lib/subscriptions/bulk/data.ts";

export const GET = sellerRoute("subscriptions:read", listBulkRuns);
