import { HydratedQueries } from "#components/shell/hydrated-queries.tsx";
import { SubscriptionList } from "#components/subscriptions/list/subscription-list.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import type { Scope } from "#lib/scope.ts";
import { getColumns } from "#lib/subscriptions/columns/data.ts";
import { columnsQuery } from "#lib/subscriptions/columns/queries.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetch, prefetchAll, together } from "#lib/query/prefetch.ts";
import { findSubscriptions } from "#lib/subscriptions/search-data.ts";
import { findSubscriptionsQuery } from "#lib/subscriptions/search-queries.ts";
import { isPlain, parseFindSearch, type FindSearch } from "#lib/subscriptions/list-search.ts";
import { wordsOfView } from "#lib/subscriptions/views/data.ts";
import { viewAt } from "#lib/subscriptions/views/rules.ts";
import { listBulkRuns } from "#lib/subscriptions/bulk/data.ts";
import { bulkRunsQuery } from "#lib/subscriptions/bulk/queries.ts";
import { getCounts } from "#lib/search-index/query/subscription-counts.ts";
import { listSubscriptions } from "#lib/subscriptions/data.ts";
import { countsQuery, subscriptionsQuery } from "#lib/subscriptions/queries.ts";

export const generateMetadata = pageTitle("subscriptions.title");

/** Milliseconds: the list does not wait for its counts. */
const PATIENCE = 1_000;

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
  const search = parseFindSearch(parameters);
  const view = viewAt(parameters);
  const [list, columns, runs, counts] = await Promise.all([
    prefetchList(scope, search, view),
    prefetch(columnsQuery(scope).queryKey, () => getColumns(scope)),
    prefetch(bulkRunsQuery(scope).queryKey, () => listBulkRuns(scope)),
    prefetchAll(
      { counts: { queryKey: countsQuery(scope).queryKey, queryFn: () => getCounts(scope) } },
      PATIENCE,
    ),
  ]);
  return (
    <HydratedQueries state={together(list, columns, runs, counts)}>
      <SubscriptionList failure={list.failure} />
    </HydratedQueries>
  );
}

/** What the service cannot be asked for is found in the copy. */
async function prefetchList(scope: Scope, search: FindSearch, view: string | null) {
  const words = view === null ? "" : await wordsOfView(scope, view);
  if (words !== "" || !isPlain(search))
    return prefetch(findSubscriptionsQuery(scope, search, words).queryKey, () =>
      findSubscriptions(scope, search, words),
    );
  const { status, page, page_size } = search;
  const plain = { status, page, page_size };
  return prefetch(subscriptionsQuery(scope, plain).queryKey, () =>
    listSubscriptions(scope, plain),
  );
}
