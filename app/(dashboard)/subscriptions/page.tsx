import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { SubscriptionList } from "#components/subscriptions/subscription-list.tsx";
import { sellerPage } from "#lib/auth/seller-page.ts";
import { prefetch } from "#lib/query/prefetch.ts";
import { listSubscriptions } from "#lib/subscriptions/data.ts";
import { subscriptionsQuery } from "#lib/subscriptions/queries.ts";
import { parseSubscriptionSearch } from "#lib/subscriptions/search.ts";

export const metadata: Metadata = { title: "Subscriptions" };

interface SubscriptionsPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SubscriptionsPage({ searchParams }: SubscriptionsPageProps) {
  await sellerPage("subscriptions:read");
  const search = parseSubscriptionSearch(await searchParams);
  const { state, failure } = await prefetch(subscriptionsQuery(search).queryKey, () =>
    listSubscriptions(search),
  );
  return (
    <HydrationBoundary state={state}>
      <SubscriptionList failure={failure} />
    </HydrationBoundary>
  );
}
