import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { SubscriptionRecord } from "#components/subscriptions/subscription-record.tsx";
import { sellerPage } from "#lib/auth/seller-page.ts";
import { prefetch } from "#lib/query/prefetch.ts";
import { getSubscription } from "#lib/subscriptions/data.ts";
import { subscriptionQuery } from "#lib/subscriptions/queries.ts";

export const metadata: Metadata = { title: "Subscription" };

interface SubscriptionPageProps {
  params: Promise<{ id: string }>;
}

export default async function SubscriptionPage({ params }: SubscriptionPageProps) {
  await sellerPage("subscriptions:read");
  const { id } = await params;
  const { state, failure } = await prefetch(subscriptionQuery(id).queryKey, () =>
    getSubscription(id),
  );
  return (
    <HydrationBoundary state={state}>
      <SubscriptionRecord failure={failure} />
    </HydrationBoundary>
  );
}
