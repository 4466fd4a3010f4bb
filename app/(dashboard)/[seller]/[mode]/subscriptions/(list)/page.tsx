import { HydratedQueries } from "#components/shell/hydrated-queries.tsx";
import { SubscriptionListPage } from "#components/subscriptions/list/subscription-list.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { getColumns } from "#lib/subscriptions/columns/data.ts";
import { columnsQuery, countsQuery, subscriptionsQuery } from "#lib/subscriptions/queries.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetch, prefetchAll, together } from "#lib/query/prefetch.ts";
import { parseSubscriptionSearch } from "#lib/subscriptions/search.ts";
import { wordsOfView } from "#lib/subscriptions/views/data.ts";
import { viewAt } from "#lib/subscriptions/views/rules.ts";
import { listBulkRuns } from "#lib/subscriptions/bulk/data.ts";
import { bulkRunsQuery } from "#lib/subscriptions/bulk/queries.ts";
import { getCounts, listSubscriptions } from "#lib/subscriptions/data.ts";

export const generateMetadata = pageTitle("subscriptions.title");

/** Milliseconds: the list does not wait for its counts. */
const TIMEOUT_MS = 1_000;

interface SubscriptionsPageProps {
  params: ScopeParams;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SubscriptionsPage({
  params,
  searchParams,
}: SubscriptionsPageProps) {
  const { scope } = await sellerPage(params, "subscriptions:read");
  const parameters = await searchParams;
  const search = parseSubscriptionSearch(parameters);
  const view = viewAt(parameters);
  const text = view === null ? "" : await wordsOfView(scope, view);
  const [list, columns, runs, counts] = await Promise.all([
    prefetch(subscriptionsQuery(scope, search, text).queryKey, () =>
      listSubscriptions(scope, search, text),
    ),
    prefetch(columnsQuery(scope).queryKey, () => getColumns(scope)),
    prefetch(bulkRunsQuery(scope).queryKey, () => listBulkRuns(scope)),
    prefetchAll(
      { counts: { queryKey: countsQuery(scope).queryKey, queryFn: () => getCounts(scope) } },
      TIMEOUT_MS,
    ),
  ]);
  return (
    <HydratedQueries state={together(list, columns, runs, counts)}>
      <SubscriptionListPage failure={list.failure} />
    </HydratedQueries>
  );
}
