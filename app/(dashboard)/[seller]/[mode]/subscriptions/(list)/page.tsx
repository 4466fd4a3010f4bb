import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { SubscriptionListPage } from "#components/subscriptions/list/subscription-list.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { getColumns, getCounts, listSubscriptions } from "#lib/subscriptions/data.ts";
import { columnsQuery, countsQuery, subscriptionsQuery } from "#lib/subscriptions/queries.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetchAll } from "#lib/query/prefetch.ts";
import { parseSubscriptionSearch } from "#lib/subscriptions/search.ts";
import { searchTextOfView } from "#lib/subscriptions/views/data.ts";
import { viewIdFrom } from "#lib/subscriptions/views/rules.ts";
import { listBulkRuns } from "#lib/subscriptions/bulk/data.ts";
import { bulkRunsQuery } from "#lib/subscriptions/bulk/queries.ts";

export const generateMetadata = pageTitle("subscriptions.title");

export default async function SubscriptionsPage({ params, searchParams }: SellerPageProps) {
  const { scope } = await sellerPage(params, "subscriptions:read");
  const parameters = await searchParams;
  const search = parseSubscriptionSearch(parameters);
  const view = viewIdFrom(parameters);
  const text = view === null ? "" : await searchTextOfView(scope, view);
  const { json, failures } = await prefetchAll(
    { counts: { ...countsQuery(scope), queryFn: () => getCounts(scope) } },
    {
      list: {
        ...subscriptionsQuery(scope, search, text),
        queryFn: () => listSubscriptions(scope, search, text),
      },
      columns: { ...columnsQuery(scope), queryFn: () => getColumns(scope) },
      runs: { ...bulkRunsQuery(scope), queryFn: () => listBulkRuns(scope) },
    },
  );
  return (
    <HydratedQueries json={json}>
      <SubscriptionListPage failure={failures.list} />
    </HydratedQueries>
  );
}
