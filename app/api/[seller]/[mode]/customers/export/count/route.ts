import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { previewCustomerExport } from "#lib/customers/export.ts";
import { parseCustomerSearch } from "#lib/customers/search.ts";
import { readSearchText } from "#lib/list-answer.ts";

export const GET = sellerRoute("subscriptions:export", (scope, request) =>
  previewCustomerExport(
    scope,
    parseCustomerSearch(new URL(request.url).searchParams),
    readSearchText(request),
  ),
);
