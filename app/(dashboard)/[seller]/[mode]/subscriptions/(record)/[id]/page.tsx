import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { SubscriptionDetailPage } from "#components/subscriptions/record/subscription-record.tsx";
import { sellerPage, type RecordParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getAmounts } from "#lib/products/data.ts";
import { amountsQuery } from "#lib/products/queries.ts";
import { prefetchAll } from "#lib/query/prefetch.ts";
import { getSubscription } from "#lib/subscriptions/record.ts";
import { subscriptionQuery } from "#lib/subscriptions/queries.ts";

export const generateMetadata = pageTitle("subscription.title");

export default async function SubscriptionPage({ params }: { params: Promise<RecordParams> }) {
  const { scope } = await sellerPage(params, "subscriptions:read");
  const { id } = await params;
  const { json, failures } = await prefetchAll(
    { amounts: { ...amountsQuery(scope), queryFn: () => getAmounts(scope) } },
    { record: { ...subscriptionQuery(scope, id), queryFn: () => getSubscription(scope, id) } },
  );
  return (
    <HydratedQueries json={json}>
      <SubscriptionDetailPage failure={failures.record} />
    </HydratedQueries>
  );
}
