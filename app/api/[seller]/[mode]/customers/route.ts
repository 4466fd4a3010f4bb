import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listCustomers } from "#lib/customers/data.ts";
import { parseCustomerSearch } from "#lib/customers/search.ts";
import { readSearchText } from "#lib/list-answer.ts";

export const GET = sellerRoute("customers:read", (scope, request) =>
  listCustomers(
    scope,
    parseCustomerSearch(new URL(request.url).searchParams),
    readSearchText(request),
  ),
);
