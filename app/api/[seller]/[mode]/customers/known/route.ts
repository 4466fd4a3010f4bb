import { sellerRoute } from "#lib/auth/seller-route.ts";
import { listKnownCustomers } from "#lib/customers/data.ts";

export const GET = sellerRoute("customers:read", listKnownCustomers);
