"use client";

import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { useCached } from "#components/list/use-cached.ts";
import { useScope } from "#components/context/seller-context.tsx";
import type { Failure } from "#lib/failure.ts";
import {
  dueQuery,
  endingSoonQuery,
  waitingQuery,
  type DueSubscriptions,
  type EndingSoon,
  type WaitingCheckouts,
} from "#lib/overview/queries.ts";
import {
  type SubscriptionCounts,
  countsQuery,
  subscriptionsQuery,
  type SubscriptionList,
} from "#lib/subscriptions/queries.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { ALL_SUBSCRIPTIONS } from "#lib/subscriptions/search.ts";
import { EmptySubscriptions } from "./list/empty-subscriptions.tsx";
import { SubscriptionCounters } from "./list/subscription-counters.tsx";
import { usePart, type SummaryPart } from "./summary-panel.tsx";
import { DuePanel, LatestPanel, SoonPanel, WaitingPanel } from "./summary-panels.tsx";

const MINUTE = 60_000;

interface SubscriptionSummaryProps {
  /** Why the server could not read a part. */
  failures?: Partial<Record<keyof Parts, Failure | null>>;
  /** While the server renders the page: what the cache holds, or a skeleton. */
  isPlaceholder?: boolean;
}

/** The overview's panels and counts; each part fails and recovers alone. */
export function SubscriptionSummary({
  failures = {},
  isPlaceholder = false,
}: SubscriptionSummaryProps) {
  const scope = useScope();
  const latest = {
    ...subscriptionsQuery(scope, ALL_SUBSCRIPTIONS),
    refetchInterval: refetchEvery(MINUTE),
  };
  const parts = {
    latest: usePart(useCached(latest, isPlaceholder), failures.latest),
    due: usePart(useCached(dueQuery(scope), isPlaceholder), failures.due),
    soon: usePart(useCached(endingSoonQuery(scope), isPlaceholder), failures.soon),
    waiting: usePart(useCached(waitingQuery(scope), isPlaceholder), failures.waiting),
  };
  const counts = useCached(countsQuery(scope), isPlaceholder).data?.counts ?? null;
  const all = Object.values(parts);
  const { failure } = parts.latest;
  // One word for all of it, where nothing of the page can be read.
  if (failure && all.every((part) => part.failure))
    return (
      <FailurePanel
        failure={failure}
        isRetrying={all.some(({ query }) => query.isFetching)}
        onRetry={() => all.forEach(({ query }) => void query.refetch())}
      />
    );
  return <Summary {...{ parts, counts }} />;
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
}

function Summary({ parts: { latest, due, soon, waiting }, counts }: SummaryProps) {
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
        <DuePanel part={due} counts={counts} />
        <SoonPanel part={soon} />
        <WaitingPanel part={waiting} counts={counts} />
        <LatestPanel part={latest} />
      </div>
    </>
  );
}
