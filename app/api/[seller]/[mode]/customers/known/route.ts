import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listKnownCustomers } from "#lib/customers/data.ts";

export const GET = sellerRoute("customers:read", listKnownCustomers);
