import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { exportCustomers } from "#lib/customers/export.ts";
import { parseCustomerSearch } from "#lib/customers/search.ts";
import { readExportFormat, readSearchText } from "#lib/list-answer.ts";

export const GET = sellerRoute("subscriptions:export", (scope, request) => {
  const { searchParams } = new URL(request.url);
  return exportCustomers(
    scope,
    { search: parseCustomerSearch(searchParams), format: readExportFormat(searchParams) },
    readSearchText(request),
  );
});
