import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listTags } from "#lib/customers/data.ts";

export const GET = sellerRoute("customers:read", (scope) => listTags(scope));
