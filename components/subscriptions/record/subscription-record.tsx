"use client";

import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useParams } from "next/navigation";
import { useEffect, useRef, type ReactNode } from "react";
import type { ReceivedStatus } from "#contract/subscriptions.ts";
import { StaleNotice } from "#components/list/stale-notice.tsx";
import { useVisibleFailure } from "#components/list/use-visible-failure.ts";
import { KeptDebt } from "#components/forms/kept-debt.tsx";
import { BackLink } from "#components/shell/back-link.tsx";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import type { Scope } from "#lib/scope.ts";
import { askAgainAfter, failureOf, type Failure } from "#lib/failure.ts";
import {
  findListedSubscription,
  subscriptionQuery,
  subscriptionsKey,
  type SubscriptionRecord as Record,
} from "#lib/subscriptions/queries.ts";
import { CheckoutCard } from "./checkout-card.tsx";
import { SubscriptionDetails, SubscriptionDetailsSkeleton } from "./subscription-details.tsx";
import { SubscriptionHeading } from "./subscription-heading.tsx";
import { SubscriptionHistory } from "./subscription-history.tsx";
import { SubscriptionPaymentCard } from "./subscription-payment-card.tsx";

const WAITING_MS = 3_000;

export function SubscriptionRecord({ failure }: { failure: Failure | null }) {
  const t = useTranslations("subscription");
  const query = useSubscriptionRecord();
  const visibleFailure = useVisibleFailure(query, failure);
  const retry = () => void query.refetch();

  if (visibleFailure) {
    return (
      <>
        <BackLink href="/subscriptions">{t("back")}</BackLink>
        <h1 className="sr-only">{t("title")}</h1>
        <FailurePanel failure={visibleFailure} isRetrying={query.isFetching} onRetry={retry} />
      </>
    );
  }
  return (
    <RecordView record={query.data} isFromList={query.isPlaceholderData}>
      <StaleNotice query={query} />
    </RecordView>
  );
}

/** While the server renders the page: what the cache holds, the record itself or its row of a list. */
export function SubscriptionRecordSkeleton() {
  const { id } = useParams<{ id: string }>();
  const scope = useScope();
  const queryClient = useQueryClient();
  const record = queryClient.getQueryData(subscriptionQuery(scope, id).queryKey);
  return (
    <RecordView
      record={record ?? recordFromList(queryClient, scope, id)}
      isFromList={!record}
    />
  );
}

interface RecordViewProps {
  record: Record | undefined;
  isFromList: boolean;
  children?: ReactNode;
}

function RecordView({ record, isFromList, children }: RecordViewProps) {
  const t = useTranslations("subscription");
  const queryClient = useQueryClient();
  const scope = useScope();
  if (!record)
    return (
      <SubscriptionDetailsSkeleton
        back={<BackLink href="/subscriptions">{t("back")}</BackLink>}
      />
    );
  const { subscription, checkout_url, reached, debt } = record;
  return (
    <>
      <BackLink href="/subscriptions">{t("back")}</BackLink>
      <SubscriptionHeading subscription={subscription} reached={reached} />
      {children}
      {debt && (
        <KeptDebt
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
      <SubscriptionDetails subscription={subscription} />
      <SubscriptionHistory subscription_id={subscription.subscription_id} />
      {/* What it says comes later than the rest: below, nothing that is seen moves for it. */}
      <SubscriptionPaymentCard subscription={subscription} />
    </>
  );
}

/** Asks every few seconds while the buyer may be paying, or while the service is away. */
function useSubscriptionRecord() {
  const { id } = useParams<{ id: string }>();
  const scope = useScope();
  const queryClient = useQueryClient();
  const query = useQuery({
    ...subscriptionQuery(scope, id),
    placeholderData: () => recordFromList(queryClient, scope, id),
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state }) => {
      if (state.error) return askAgainAfter(failureOf(state.error));
      return state.data?.subscription.status === "pending_checkout" ? WAITING_MS : false;
    },
  });
  useFreshListsAfterChange(query.data?.subscription.status);
  return query;
}

function recordFromList(
  queryClient: QueryClient,
  scope: Scope,
  id: string,
): Record | undefined {
  const subscription = findListedSubscription(queryClient, scope, id);
  return subscription && { subscription, checkout_url: null, reached: null, debt: null };
}

/** The lists of this browser still show the status before. */
function useFreshListsAfterChange(status: ReceivedStatus | undefined) {
  const scope = useScope();
  const queryClient = useQueryClient();
  const before = useRef(status);
  useEffect(() => {
    if (before.current !== undefined && before.current !== status) {
      void queryClient.invalidateQueries({
        queryKey: subscriptionsKey(scope),
        // The records themselves are asked for anew by themselves, and this one just was.
        predicate: ({ queryKey }) => queryKey[2] !== "record",
        refetchType: "none",
      });
    }
    before.current = status;
  }, [queryClient, scope, status]);
}
