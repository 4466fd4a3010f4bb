import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { findCustomerByPhone } from "#lib/customers/data.ts";
import { PHONE_HEADER } from "#lib/customers/queries.ts";

export const GET = sellerRoute("customers:read", (scope, request) =>
  findCustomerByPhone(scope, request.headers.get(PHONE_HEADER) ?? ""),
);
