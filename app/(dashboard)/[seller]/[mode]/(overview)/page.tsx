import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { Overview } from "#components/overview/overview.tsx";
import { GoLiveList } from "#components/overview/go-live-list.tsx";
import { can } from "#lib/auth/permissions.ts";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { getGoLive } from "#lib/connection/data.ts";
import { availableModes } from "#lib/env.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { listDue, listEndingSoon, listWaiting } from "#lib/overview/data.ts";
import { dueQuery, endingSoonQuery, waitingQuery } from "#lib/overview/queries.ts";
import { getAmounts } from "#lib/products/data.ts";
import { amountsQuery } from "#lib/products/queries.ts";
import { prefetchAll } from "#lib/query/prefetch.ts";
import { getCounts, listSubscriptions } from "#lib/subscriptions/data.ts";
import { countsQuery, subscriptionsQuery } from "#lib/subscriptions/queries.ts";
import { NEWEST_SUBSCRIPTIONS } from "#lib/subscriptions/search.ts";
import { listFailing } from "#lib/webhooks/data.ts";
import { failingQuery } from "#lib/webhooks/queries.ts";

export const generateMetadata = pageTitle("overview.title");

export default async function OverviewPage({ params, searchParams }: SellerPageProps) {
  const { scope, role, user } = await sellerPage(params, "subscriptions:read");
  // An installation can lack one of the modes.
  const maySetUp = can(role, "connection:write") && availableModes().includes(scope.mode);
  const isAsked = (await searchParams)["tour"] !== undefined;
  const reads = {
    latest: {
      ...subscriptionsQuery(scope, NEWEST_SUBSCRIPTIONS),
      queryFn: () => listSubscriptions(scope, NEWEST_SUBSCRIPTIONS, ""),
    },
    due: { ...dueQuery(scope), queryFn: () => listDue(scope) },
    soon: { ...endingSoonQuery(scope), queryFn: () => listEndingSoon(scope) },
    amounts: { ...amountsQuery(scope), queryFn: () => getAmounts(scope) },
    failing: {
      ...failingQuery(scope),
      queryFn: async () =>
        can(role, "webhooks:read") ? listFailing(scope) : { endpoints: [], counted: null },
    },
    counts: { ...countsQuery(scope), queryFn: () => getCounts(scope) },
    waiting: { ...waitingQuery(scope), queryFn: () => listWaiting(scope) },
  };
  const [{ json, failures }, goLive] = await Promise.all([
    prefetchAll(reads),
    maySetUp ? getGoLive(scope) : null,
  ]);
  return (
    <HydratedQueries json={json}>
      <Overview
        tour={{ isNew: !user.has_left_tour, isAsked }}
        failures={failures}
        before={
          goLive?.has_subscription === false && <GoLiveList goLive={goLive} scope={scope} />
        }
        after={
          goLive &&
          goLive.has_subscription !== false && <GoLiveList goLive={goLive} scope={scope} />
        }
      />
    </HydratedQueries>
  );
}
