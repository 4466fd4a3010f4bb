"use client";

import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { lazy, Suspense, useEffect, useRef } from "react";
import type { ReceivedStatus } from "#contract/subscriptions.ts";
import { RecordPage, useCachedQuery } from "#components/list/query-state.tsx";
import { SubscriptionSimulation } from "#components/sandbox/subscription-simulation.tsx";
import { KeptDebtNotice } from "#components/forms/kept-debt.tsx";
import { PlaceholderContext } from "#components/ui/button.tsx";
import { usePermission, useRecordId, useScope } from "#components/context/seller-context.tsx";
import type { Scope } from "#lib/scope.ts";
import { retryDelayOf, failureOf, type Failure } from "#lib/failure.ts";
import {
  findListedSubscription,
  openedSubscriptionQuery,
  subscriptionsKey,
  type SubscriptionRecord,
} from "#lib/subscriptions/queries.ts";
import { SubscriptionChangeProvider } from "./subscription-change-context.tsx";
import { CheckoutCard } from "./checkout-card.tsx";
import { SubscriptionDetails, SubscriptionDetailsSkeleton } from "./subscription-details.tsx";
import { SubscriptionHeading } from "./subscription-heading.tsx";
import { SubscriptionHistory } from "./subscription-history.tsx";
import { SubscriptionPaymentCard } from "./subscription-payment-card.tsx";

const ByHandCard = lazy(async () => ({
  default: (await import("#components/forms/by-hand/by-hand-card.tsx")).ByHandCard,
}));

const WAITING_MS = 3_000;

interface SubscriptionDetailPageProps {
  failure: Failure | null;
  /**
   * Whether the server still renders the page; until it has, this shows what the cache or a list holds,
   * or a skeleton.
   */
  isPlaceholder?: boolean;
}

/** The record over the list from which it was opened; its own page has the provider in its layout. */
export function OpenedSubscription() {
  return (
    <SubscriptionChangeProvider>
      <SubscriptionDetailPage failure={null} />
    </SubscriptionChangeProvider>
  );
}

export function SubscriptionDetailPage({
  failure,
  isPlaceholder = false,
}: SubscriptionDetailPageProps) {
  const t = useTranslations("subscription");
  const id = useRecordId();
  const query = useSubscriptionRecord(id, isPlaceholder);
  return (
    <>
      <RecordPage
        back={{ href: "/subscriptions", label: t("back") }}
        heading={t("title")}
        query={query}
        failure={failure}
        isPlaceholder={isPlaceholder}
        skeleton={<SubscriptionDetailsSkeleton />}
      >
        {(record) => <RecordView record={record} isFromList={query.isPlaceholderData} />}
      </RecordPage>
      {!isPlaceholder && <SubscriptionSimulation subscription_id={id} />}
    </>
  );
}

interface RecordViewProps {
  record: SubscriptionRecord;
  isFromList: boolean;
}

function RecordView({ record, isFromList }: RecordViewProps) {
  const queryClient = useQueryClient();
  const scope = useScope();
  const mayReadPayments = usePermission("payments:read");
  const { subscription, checkout_url, reached, debt, tags } = record;
  return (
    <>
      {/* Works in the placeholder too: its dialogs are rendered above it and stay open. */}
      <PlaceholderContext value={false}>
        <SubscriptionHeading subscription={subscription} reached={reached} />
      </PlaceholderContext>
      {debt && (
        <KeptDebtNotice
          subscription_id={subscription.subscription_id}
          debt={debt}
          onWaived={() =>
            void queryClient.invalidateQueries({ queryKey: subscriptionsKey(scope) })
          }
        />
      )}
      <CheckoutCard
        subscription={subscription}
        checkoutUrl={checkout_url}
        isLoading={isFromList}
      />
      <SubscriptionDetails subscription={subscription} isOpening={isFromList} tags={tags} />
      <SubscriptionHistory
        subscription_id={subscription.subscription_id}
        isOpening={isFromList}
      />
      {/* The cards that load last come last, so that they move nothing above them. */}
      <SubscriptionPaymentCard subscription={subscription} isOpening={isFromList} />
      <Suspense
        fallback={
          mayReadPayments && <span aria-busy className="skeleton my-4 h-28 rounded-md" />
        }
      >
        <ByHandCard subscription={subscription} isOpening={isFromList} />
      </Suspense>
    </>
  );
}

/** Polls while the buyer may be paying, or while the service is unavailable. */
function useSubscriptionRecord(id: string, isPlaceholder: boolean) {
  const scope = useScope();
  const queryClient = useQueryClient();
  const query = useCachedQuery(
    {
      ...openedSubscriptionQuery(scope, id),
      placeholderData: () => recordFromList(queryClient, scope, id),
      refetchOnWindowFocus: "always",
      refetchInterval: ({ state }) => {
        if (state.error) return retryDelayOf(failureOf(state.error));
        return state.data?.subscription.status === "pending_checkout" ? WAITING_MS : false;
      },
    },
    isPlaceholder,
  );
  useFreshListsAfterChange(query.data?.subscription.status);
  return query;
}

/** Fields of a buyer that a list does not have; skeletons stand for the email and the address. */
const UNKNOWN_CLIENT = { email: "", address: "", billing: null, shipping: null };

function recordFromList(
  queryClient: QueryClient,
  scope: Scope,
  id: string,
): SubscriptionRecord | undefined {
  const row = findListedSubscription(queryClient, scope, id);
  if (!row) return undefined;
  const subscription = { ...row, client: { ...UNKNOWN_CLIENT, ...row.client } };
  return { subscription, checkout_url: null, reached: null, debt: null, tags: [] };
}

/** Marks cached lists as stale after a change, because they show the old status. */
function useFreshListsAfterChange(status: ReceivedStatus | undefined) {
  const scope = useScope();
  const queryClient = useQueryClient();
  const before = useRef(status);
  useEffect(() => {
    if (before.current !== undefined && before.current !== status) {
      void queryClient.invalidateQueries({
        queryKey: subscriptionsKey(scope),
        // Records are excluded, because they are refetched on their own.
        predicate: ({ queryKey }) => queryKey[2] !== "record",
        refetchType: "none",
      });
    }
    before.current = status;
  }, [queryClient, scope, status]);
}
