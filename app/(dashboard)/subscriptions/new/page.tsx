import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { CreateSubscription } from "#components/subscriptions/create-subscription.tsx";
import { sellerPage } from "#lib/auth/seller-page.ts";
import { calendarDay } from "#lib/format.ts";
import { getCatalogue } from "#lib/products/data.ts";
import { catalogueQuery } from "#lib/products/queries.ts";
import { prefetch } from "#lib/query/prefetch.ts";

export const metadata: Metadata = { title: "New subscription" };

interface NewSubscriptionPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function NewSubscriptionPage({ searchParams }: NewSubscriptionPageProps) {
  const { seller, now } = await sellerPage("subscriptions:create");
  const { pbp_id } = await searchParams;
  const { state, failure } = await prefetch(catalogueQuery().queryKey, getCatalogue);
  const today = calendarDay(now, seller.time_zone) ?? "";
  return (
    <HydrationBoundary state={state}>
      <CreateSubscription
        failure={failure}
        today={today}
        pbpId={typeof pbp_id === "string" ? pbp_id : ""}
      />
    </HydrationBoundary>
  );
}
