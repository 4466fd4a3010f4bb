import { HydratedQueries } from "#components/layout/hydrated-queries.tsx";
import { SubscriptionSimulation } from "#components/sandbox/subscription-simulation.tsx";
import { SubscriptionRecord } from "#components/subscriptions/subscription-record.tsx";
import { sellerPage, type RecordParams } from "#lib/auth/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetch } from "#lib/query/prefetch.ts";
import { getSubscription } from "#lib/subscriptions/data.ts";
import { subscriptionQuery } from "#lib/subscriptions/queries.ts";

export const generateMetadata = pageTitle("record.title");

interface SubscriptionPageProps {
  params: Promise<RecordParams>;
}

export default async function SubscriptionPage({ params }: SubscriptionPageProps) {
  const { scope } = await sellerPage(params, "subscriptions:read");
  const { id } = await params;
  const { state, failure } = await prefetch(subscriptionQuery(scope, id).queryKey, () =>
    getSubscription(scope, id),
  );
  return (
    <HydratedQueries state={state}>
      <SubscriptionRecord failure={failure} />
      <SubscriptionSimulation subscription_id={id} />
    </HydratedQueries>
  );
}
