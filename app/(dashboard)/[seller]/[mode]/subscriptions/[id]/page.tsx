import { HydratedQueries } from "#components/shell/hydrated-queries.tsx";
import { SubscriptionSimulation } from "#components/sandbox/subscription-simulation.tsx";
import { SubscriptionDetailPage } from "#components/subscriptions/record/subscription-record.tsx";
import { sellerPage, type RecordParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getAmounts } from "#lib/products/data.ts";
import { amountsQuery } from "#lib/products/queries.ts";
import { prefetch, prefetchAll, together } from "#lib/query/prefetch.ts";
import { getSubscription } from "#lib/subscriptions/record.ts";
import { subscriptionQuery } from "#lib/subscriptions/queries.ts";

export const generateMetadata = pageTitle("subscription.title");

export default async function SubscriptionPage({ params }: { params: Promise<RecordParams> }) {
  const { scope } = await sellerPage(params, "subscriptions:read");
  const { id } = await params;
  const [record, amounts] = await Promise.all([
    prefetch(subscriptionQuery(scope, id), () => getSubscription(scope, id)),
    // The record does not wait for its amount.
    prefetchAll({
      amounts: { ...amountsQuery(scope), queryFn: () => getAmounts(scope) },
    }),
  ]);
  return (
    <HydratedQueries state={together(record, amounts)}>
      <SubscriptionDetailPage failure={record.failure} />
      <SubscriptionSimulation subscription_id={id} />
    </HydratedQueries>
  );
}
