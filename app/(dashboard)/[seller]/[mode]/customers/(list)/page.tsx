import { CustomerListPage } from "#components/customers/customer-list.tsx";
import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { listCustomers } from "#lib/customers/data.ts";
import { customersQuery } from "#lib/customers/queries.ts";
import { parseCustomerSearch } from "#lib/customers/search.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetch } from "#lib/query/prefetch.ts";

export const generateMetadata = pageTitle("customers.title");

export default async function CustomersPage({ params, searchParams }: SellerPageProps) {
  const { scope } = await sellerPage(params, "customers:read");
  const search = parseCustomerSearch(await searchParams);
  const { json, failure } = await prefetch(customersQuery(scope, search), () =>
    listCustomers(scope, search, ""),
  );
  return (
    <HydratedQueries json={json}>
      <CustomerListPage failure={failure} />
    </HydratedQueries>
  );
}
