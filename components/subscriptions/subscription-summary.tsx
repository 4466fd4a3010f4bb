"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { useCachedQuery } from "#components/list/query-state.tsx";
import { PageLink, useFormat, useScope } from "#components/context/seller-context.tsx";
import type { Failure } from "#lib/failure.ts";
import {
  dueQuery,
  type DueSubscriptions,
  type EndingSoon,
  endingSoonQuery,
  type WaitingCheckouts,
  waitingQuery,
} from "#lib/overview/queries.ts";
import {
  countsQuery,
  type SubscriptionCounts,
  type SubscriptionList,
  subscriptionsQuery,
} from "#lib/subscriptions/queries.ts";
import { amountsQuery } from "#lib/products/queries.ts";
import { refetchEvery } from "#lib/query/client.ts";
import {
  ALL_SUBSCRIPTIONS,
  NEWEST_SUBSCRIPTIONS,
  subscriptionsPath,
  tabFilters,
} from "#lib/subscriptions/search.ts";
import { countOfStatus } from "#lib/subscriptions/rules.ts";
import { cn } from "#lib/cn.ts";
import { EmptySubscriptions } from "./list/empty-subscriptions.tsx";
import { type SummaryPart, useSummaryPart } from "./summary-panel.tsx";
import {
  DueSubscriptionsPanel,
  LatestSubscriptionsPanel,
  EndingSoonPanel,
  WaitingCheckoutsPanel,
} from "./summary-panels.tsx";
import { statusLabel } from "./subscription-status-badge.tsx";

const MINUTE = 60_000;

interface SubscriptionSummaryProps {
  failures?: Partial<Record<keyof Parts, Failure | null>>;
  /** Whether the server still renders the page; until then, what the cache holds or a skeleton. */
  isPlaceholder?: boolean;
}

/** The overview's panels and counts; each part fails and recovers alone. */
export function SubscriptionSummary({
  failures = {},
  isPlaceholder = false,
}: SubscriptionSummaryProps) {
  const scope = useScope();
  const latest = {
    ...subscriptionsQuery(scope, NEWEST_SUBSCRIPTIONS),
    refetchInterval: refetchEvery(MINUTE),
  };
  const parts = {
    latest: useSummaryPart(useCachedQuery(latest, isPlaceholder), failures.latest),
    due: useSummaryPart(useCachedQuery(dueQuery(scope), isPlaceholder), failures.due),
    soon: useSummaryPart(useCachedQuery(endingSoonQuery(scope), isPlaceholder), failures.soon),
    waiting: useSummaryPart(
      useCachedQuery(waitingQuery(scope), isPlaceholder),
      failures.waiting,
    ),
  };
  const counts = useCachedQuery(countsQuery(scope), isPlaceholder).data?.counts ?? null;
  const hasAmounts = useQueryClient().getQueryData(amountsQuery(scope).queryKey) !== undefined;
  const all = Object.values(parts);
  const { failure } = parts.latest;
  // One message for all panels if none can be read.
  if (failure && all.every((part) => part.failure))
    return (
      <FailurePanel
        failure={failure}
        query={{
          isFetching: all.some(({ query }) => query.isFetching),
          refetch: () => all.forEach(({ query }) => void query.refetch()),
        }}
      />
    );
  return <Summary {...{ parts, counts }} areRowsReady={!isPlaceholder || hasAmounts} />;
}

interface Parts {
  latest: SummaryPart<SubscriptionList>;
  due: SummaryPart<DueSubscriptions>;
  soon: SummaryPart<EndingSoon>;
  waiting: SummaryPart<WaitingCheckouts>;
}

interface SummaryProps {
  parts: Parts;
  counts: SubscriptionCounts | null;
  /** Whether the newest rows may be shown: they would move when their amounts are loaded later. */
  areRowsReady: boolean;
}

function Summary({ parts, counts, areRowsReady }: SummaryProps) {
  const { latest, due, soon, waiting } = parts;
  if (latest.data?.results.length === 0)
    return <EmptySubscriptions search={ALL_SUBSCRIPTIONS} />;
  return (
    <>
      <SubscriptionCounters
        {...{ counts }}
        page={latest.data}
        isMissing={latest.failure !== null}
      />
      <div className="mt-4 grid gap-4 lg:grid-cols-2">
        <DueSubscriptionsPanel part={due} counts={counts} />
        <EndingSoonPanel part={soon} />
        <WaitingCheckoutsPanel part={waiting} counts={counts} />
        <LatestSubscriptionsPanel
          part={areRowsReady ? latest : { ...latest, data: undefined }}
        />
      </div>
    </>
  );
}

/** In the order of the counters; `null` counts all subscriptions. */
const COUNTED = [
  "due",
  "active",
  "pending_checkout",
  "pending_cancellation",
  "inactive",
  "cancelled",
  "one_time",
  null,
] as const;

interface SubscriptionCountersProps {
  page: SubscriptionList | undefined;
  counts: SubscriptionCounts | null;
  isMissing: boolean;
}

function SubscriptionCounters({ page, counts, isMissing }: SubscriptionCountersProps) {
  const t = useTranslations("subscriptions");
  const format = useFormat();
  const scope = useScope();
  return (
    <ul className="grid grid-cols-2 gap-3 md:grid-cols-4 md:gap-4">
      {COUNTED.map((name) => {
        const known = countOfStatus({ counts, page }, name);
        const count = known === undefined && isMissing ? null : known;
        return (
          <li key={name}>
            <PageLink
              href={subscriptionsPath(scope, tabFilters(name, counts))}
              className="card block px-4 py-3 transition-colors hover:bg-canvas"
            >
              <span className="block text-sm text-muted">
                {name === null && t("total")}
                {name === "one_time" ? t("filter.oneTime") : name && statusLabel(t, name)}
              </span>
              <span
                className={cn(
                  "flex h-8 items-center text-2xl font-semibold tabular-nums",
                  name === "due" && Boolean(count) && "text-due",
                )}
              >
                {count === undefined ? (
                  <span className="skeleton h-6 w-14" />
                ) : count === null ? (
                  "–"
                ) : (
                  format.count(count)
                )}
              </span>
            </PageLink>
          </li>
        );
      })}
    </ul>
  );
}
