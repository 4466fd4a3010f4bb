"use client";

import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import Link from "next/link";
import { useParams } from "next/navigation";
import { useEffect, useRef, type ReactNode } from "react";
import type { ReceivedStatus } from "#contract/subscriptions.ts";
import { StaleNotice } from "#components/data-table/stale-notice.tsx";
import { useVisibleFailure } from "#components/data-table/use-visible-failure.ts";
import { FailurePanel } from "#components/layout/failure-panel.tsx";
import { PageHeader } from "#components/layout/page-header.tsx";
import { useSeller } from "#components/layout/seller-context.tsx";
import { failureOf, isPassing, type Failure } from "#lib/billing/errors.ts";
import { formatTime } from "#lib/format.ts";
import {
  findListedSubscription,
  subscriptionQuery,
  SUBSCRIPTIONS_KEY,
  type SubscriptionRecord as Record,
} from "#lib/subscriptions/queries.ts";
import { CheckoutCard } from "./checkout-card.tsx";
import { SubscriptionDetails, SubscriptionDetailsSkeleton } from "./subscription-details.tsx";
import { SubscriptionStatusBadge } from "./subscription-status-badge.tsx";

const WAITING_MS = 3_000;
const AWAY_MS = 5_000;

export function SubscriptionRecord({ failure }: { failure: Failure | null }) {
  const query = useSubscriptionRecord();
  const visibleFailure = useVisibleFailure(query, failure);
  const { time_zone } = useSeller();
  const retry = () => void query.refetch();

  if (visibleFailure) {
    return (
      <>
        <BackLink />
        <h1 className="sr-only">Subscription</h1>
        <FailurePanel failure={visibleFailure} isRetrying={query.isFetching} onRetry={retry} />
      </>
    );
  }
  return (
    <RecordView record={query.data} isFromList={query.isPlaceholderData}>
      {query.error && (
        <StaleNotice
          failure={failureOf(query.error)}
          asOf={formatTime(new Date(query.dataUpdatedAt).toISOString(), time_zone)}
          onRetry={retry}
        />
      )}
    </RecordView>
  );
}

/** While the server renders the page: what the cache holds, the record itself or its row of a list. */
export function SubscriptionRecordFallback() {
  const { id } = useParams<{ id: string }>();
  const queryClient = useQueryClient();
  const record = queryClient.getQueryData(subscriptionQuery(id).queryKey);
  return <RecordView record={record ?? recordFromList(queryClient, id)} isFromList={!record} />;
}

interface RecordViewProps {
  record: Record | undefined;
  isFromList: boolean;
  children?: ReactNode;
}

function RecordView({ record, isFromList, children }: RecordViewProps) {
  if (!record) return <SubscriptionDetailsSkeleton back={<BackLink />} />;
  const { subscription, checkout_url } = record;
  return (
    <>
      <BackLink />
      <PageHeader
        title={subscription.client.full_name || subscription.client.phone || "Subscription"}
        aside={<SubscriptionStatusBadge status={subscription.status} />}
      />
      {children}
      <CheckoutCard
        subscription={subscription}
        checkoutUrl={checkout_url}
        isLoading={isFromList}
      />
      <SubscriptionDetails subscription={subscription} />
    </>
  );
}

/** Asks every few seconds while the buyer may be paying, or while the service is away. */
function useSubscriptionRecord() {
  const { id } = useParams<{ id: string }>();
  const queryClient = useQueryClient();
  const query = useQuery({
    ...subscriptionQuery(id),
    placeholderData: () => recordFromList(queryClient, id),
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state }) => {
      if (state.error) return isPassing(failureOf(state.error)) ? AWAY_MS : false;
      return state.data?.subscription.status === "pending_checkout" ? WAITING_MS : false;
    },
  });
  useFreshListsAfterChange(query.data?.subscription.status);
  return query;
}

function recordFromList(queryClient: QueryClient, id: string): Record | undefined {
  const subscription = findListedSubscription(queryClient, id);
  return subscription && { subscription, checkout_url: null };
}

/** The lists of this browser still show the status before. */
function useFreshListsAfterChange(status: ReceivedStatus | undefined) {
  const queryClient = useQueryClient();
  const before = useRef(status);
  useEffect(() => {
    if (before.current !== undefined && before.current !== status) {
      void queryClient.invalidateQueries({ queryKey: SUBSCRIPTIONS_KEY, refetchType: "none" });
    }
    before.current = status;
  }, [queryClient, status]);
}

function BackLink() {
  return (
    <Link
      href="/subscriptions"
      className="mb-3 -ml-1 inline-flex h-6 items-center gap-0.5 rounded pr-1 text-sm text-muted hover:text-ink max-md:-mt-4 max-md:h-11"
    >
      <ChevronLeft aria-hidden className="size-4" />
      Subscriptions
    </Link>
  );
}
