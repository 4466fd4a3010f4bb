import { HydratedQueries } from "#components/shell/hydrated-queries.tsx";
import { SubscriptionListPage } from "#components/subscriptions/list/subscription-list.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { getColumns, getCounts, listSubscriptions } from "#lib/subscriptions/data.ts";
import { columnsQuery, countsQuery, subscriptionsQuery } from "#lib/subscriptions/queries.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetch, prefetchAll, together } from "#lib/query/prefetch.ts";
import { parseSubscriptionSearch } from "#lib/subscriptions/search.ts";
import { wordsOfView } from "#lib/subscriptions/views/data.ts";
import { viewAt } from "#lib/subscriptions/views/rules.ts";
import { listBulkRuns } from "#lib/subscriptions/bulk/data.ts";
import { bulkRunsQuery } from "#lib/subscriptions/bulk/queries.ts";

export const generateMetadata = pageTitle("subscriptions.title");

export default async function SubscriptionsPage({ params, searchParams }: SellerPageProps) {
  const { scope } = await sellerPage(params, "subscriptions:read");
  const parameters = await searchParams;
  const search = parseSubscriptionSearch(parameters);
  const view = viewAt(parameters);
  const text = view === null ? "" : await wordsOfView(scope, view);
  const [list, columns, runs, counts] = await Promise.all([
    prefetch(subscriptionsQuery(scope, search, text), () =>
      listSubscriptions(scope, search, text),
    ),
    prefetch(columnsQuery(scope), () => getColumns(scope)),
    prefetch(bulkRunsQuery(scope), () => listBulkRuns(scope)),
    prefetchAll({ counts: { ...countsQuery(scope), queryFn: () => getCounts(scope) } }),
  ]);
  return (
    <HydratedQueries state={together(list, columns, runs, counts)}>
      <SubscriptionListPage failure={list.failure} />
    </HydratedQueries>
  );
}
