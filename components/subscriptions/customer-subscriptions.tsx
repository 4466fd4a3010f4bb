"use client";

import { useInfiniteQuery, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useParams } from "next/navigation";
import type { Subscription } from "#contract/subscriptions.ts";
import { IndexFreshness, useDescribeIndexAbsence } from "#components/list/index-notice.tsx";
import { StaleNotice, useVisibleFailure } from "#components/list/query-state.tsx";
import { RelativeDay } from "#components/values/day.tsx";
import { FailureLine } from "#components/forms/failure-panel.tsx";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import { useToPay } from "#components/values/to-pay.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { failureOf } from "#lib/failure.ts";
import { customerSubscriptionsQuery, type SubscriptionsOf } from "#lib/customers/queries.ts";
import { sumCharges } from "#lib/customers/rules.ts";
import { isOneTimePurchase, nextBilling } from "#lib/money/payable.ts";
import { SubscriptionAmount, SubscriptionRows } from "./subscription-rows.tsx";
import { SubscriptionStatusBadge } from "./subscription-status-badge.tsx";

const EXPECTED_ROWS = 3;

export function CustomerSubscriptions() {
  const t = useTranslations("subscriptions");
  const { id } = useParams<{ id: string }>();
  const query = useInfiniteQuery(customerSubscriptionsQuery(useScope(), id));
  const failure = useVisibleFailure(query, null);
  const pages = query.data?.pages;
  const subscriptions = pages && mergePages(pages);
  return (
    <Card aria-labelledby="subscriptions-title" className="min-w-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b px-4 py-3">
        <CardTitle id="subscriptions-title">{t("title")}</CardTitle>
        {subscriptions && <Charges subscriptions={subscriptions} />}
        {/* Above the rows, because below them it would move when they load. */}
        {!failure && <Extent found={pages?.at(-1)} query={query} />}
      </div>
      {!query.isFetchNextPageError && (
        <div className="px-4 pt-3 empty:hidden">
          <StaleNotice query={query} />
        </div>
      )}
      {failure ? (
        <div className="px-4 py-5">
          <FailureLine failure={failure} query={query} />
        </div>
      ) : (
        <Rows subscriptions={subscriptions} />
      )}
    </Card>
  );
}

function Rows({ subscriptions }: { subscriptions: Subscription[] | undefined }) {
  const t = useTranslations("subscriptions");
  if (subscriptions?.length === 0) return <p className="px-4 py-5">{t("customer.none")}</p>;
  return (
    <SubscriptionRows
      label={t("customer.label")}
      subscriptions={subscriptions}
      expectedRows={EXPECTED_ROWS}
      lines={({ product: { name, plan_name, label } }) => ({
        name: name || t("noProduct"),
        detail: [plan_name, label].filter(Boolean).join(" · "),
      })}
      amount={(subscription) => <SubscriptionAmount subscription={subscription} />}
      aside={(subscription) => <Aside subscription={subscription} />}
    />
  );
}

function Aside({ subscription }: { subscription: Subscription }) {
  const t = useTranslations("subscriptions");
  const { status } = subscription;
  const next = nextBilling(subscription);
  return (
    <span className="flex flex-wrap items-center justify-end gap-x-2 gap-y-0.5">
      {isOneTimePurchase(subscription) && t("customer.oneTime")}
      {next && (
        <span>
          {t.rich(status === "pending_cancellation" ? "ends" : "bills", {
            day: () => <RelativeDay iso={next} />,
          })}
        </span>
      )}
      <SubscriptionStatusBadge status={status} />
    </span>
  );
}

/** The sum of the active subscriptions' amounts, separately for each period. */
function Charges({ subscriptions }: { subscriptions: Subscription[] }) {
  const t = useTranslations("subscriptions");
  const format = useFormat();
  const active = subscriptions.filter(
    (one) => one.status === "active" && !isOneTimePurchase(one),
  );
  const toPay = useToPay();
  if (toPay === null) return null;
  const charges = sumCharges(
    active.map(({ product }) => ({ ...toPay(product), label: product.label })),
  );
  if (charges.length === 0) return null;
  return (
    <p className="text-sm text-muted max-md:order-last max-md:w-full">
      {t.rich("customer.charges", {
        charges: () =>
          charges.map((charge, at) => (
            <span key={`${charge.currency} ${charge.label}`}>
              {at > 0 && " + "}
              <span className="font-medium text-ink tabular-nums">
                {charge.count > 1 ? format.sum([charge]) : format.toPay(charge)}
              </span>{" "}
              {charge.label}
              {charge.count > 1 && ` (${format.count(charge.count)})`}
            </span>
          )),
      })}
    </p>
  );
}

/** Removes duplicates: a new subscription shifts others to the next page. */
function mergePages(pages: SubscriptionsOf[]): Subscription[] {
  const all = pages.flatMap(({ results }) => results);
  return [...new Map(all.map((one) => [one.subscription_id, one])).values()];
}

interface ExtentProps {
  found: SubscriptionsOf | undefined;
  query: UseInfiniteQueryResult;
}

function Extent({ found, query }: ExtentProps) {
  const t = useTranslations("subscriptions.customer");
  const describeAbsence = useDescribeIndexAbsence();
  const showMore = () => void query.fetchNextPage();
  return (
    <div className="flex w-full flex-wrap items-start justify-between gap-x-4 gap-y-2 text-sm text-muted">
      <p role="status">
        {!found && t("looking")}
        {found?.absence && `${describeAbsence(found.absence)} ${t("newestOnly")}`}
        {found && !found.absence && t("found", { count: found.count ?? 0 })}{" "}
        {found?.source.kind === "index" && <IndexFreshness found={found.source} />}
      </p>
      {query.isFetchNextPageError && (
        <FailureLine
          failure={failureOf(query.error)}
          query={{ isFetching: query.isFetchingNextPage, refetch: showMore }}
        />
      )}
      {query.hasNextPage && !query.isFetchNextPageError && (
        <Button isPending={query.isFetchingNextPage} onClick={showMore}>
          {query.isFetchingNextPage ? t("loadingMore") : t("showMore")}
        </Button>
      )}
    </div>
  );
}
