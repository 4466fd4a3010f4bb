import { CustomerDetailPage } from "#components/customers/customer-record.tsx";
import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { CustomerSubscriptions } from "#components/subscriptions/customer-subscriptions.tsx";
import { sellerPage, type RecordParams } from "#lib/auth/guards/seller-page.ts";
import { getCustomer } from "#lib/customers/data.ts";
import { customerQuery } from "#lib/customers/queries.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetch } from "#lib/query/prefetch.ts";

export const generateMetadata = pageTitle("customers.one");

export default async function CustomerPage({ params }: { params: Promise<RecordParams> }) {
  const { scope } = await sellerPage(params, "customers:read");
  const { id } = await params;
  const { json, failure } = await prefetch(customerQuery(scope, id), () =>
    getCustomer(scope, id),
  );
  return (
    <HydratedQueries json={json}>
      <CustomerDetailPage failure={failure}>
        <CustomerSubscriptions />
      </CustomerDetailPage>
    </HydratedQueries>
  );
}
