import { useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { useTranslations } from "next-intl";
import type { Subscription } from "#contract/subscriptions.ts";
import { IndexFreshness } from "#components/list/index-freshness.tsx";
import { PendingUpdates } from "#components/list/pending-updates.tsx";
import { QueryOutcome } from "#components/list/query-outcome.tsx";
import { pushUrl } from "#components/list/url-link.tsx";
import { useScope } from "#components/shell/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { StatePanel } from "#components/ui/state-panel.tsx";
import type { Failure } from "#lib/failure.ts";
import type { SubscriptionColumn } from "#lib/subscriptions/columns/rules.ts";
import { findSubscriptionsQuery, type Findings, type Found } from "#lib/subscriptions/search-queries.ts";
import { subscriptionsPath, subscriptionQueryString, type SubscriptionSearch } from "#lib/subscriptions/search.ts";
import { useBulkSelection } from "#components/subscriptions/bulk/bulk-selection.ts";
import { NoSuchPage } from "./empty-subscriptions.tsx";
import { SubscriptionTable } from "./subscription-table.tsx";

interface FoundSubscriptionsProps {
  search: SubscriptionSearch;
  words: string;
  shown: readonly SubscriptionColumn[];
  query: UseQueryResult<Found<Subscription>>;
  /** Why the server could not find the first page. */
  failure: Failure | null;
  onClear: () => void;
}

/** What the copy has of what was asked for, and how old that is. */
export function FoundSubscriptions(props: FoundSubscriptionsProps) {
  const { search, words, shown, query, failure, onClear } = props;
  const scope = useScope();
  const found = query.data?.state === "ready" ? query.data : undefined;
  return (
    <QueryOutcome {...{ query, failure }}>
      <PendingUpdates queryKey={findSubscriptionsQuery(scope, search, words).queryKey} />
      <FoundRows
        {...{ search, words, shown, found, onClear }}
        isBusy={query.isPlaceholderData}
      />
    </QueryOutcome>
  );
}

interface FoundRowsProps extends Pick<
  FoundSubscriptionsProps,
  "search" | "words" | "shown" | "onClear"
> {
  found: Findings<Subscription> | undefined;
  isBusy: boolean;
  /** The page will stand here, and what was marked in this would be lost. */
  isComing?: boolean;
}

export function FoundRows(props: FoundRowsProps) {
  const { search, words, shown, found, isBusy, isComing = false, onClear } = props;
  const t = useTranslations("finding.found");
  const queryClient = useQueryClient();
  const scope = useScope();
  const selection = useBulkSelection({
    list: `${subscriptionQueryString({ ...search, page: 1 })} ${words}`,
    page: search.page,
    rows: found?.results,
    rowsAt: (page) => {
      const { queryKey } = findSubscriptionsQuery(scope, { ...search, page }, words);
      const there = queryClient.getQueryData(queryKey);
      return there?.state === "ready" ? there.results : undefined;
    },
    isComing,
  });
  if (found?.results.length === 0) {
    if (search.page > 1) return <NoSuchPage search={search} />;
    return (
      <StatePanel
        role="status"
        icon={SearchX}
        title={t("noneTitle")}
        text={
          <>
            {t("noneText")} <IndexFreshness found={found} />
          </>
        }
        action={
          <Button
            onClick={() => {
              onClear();
              pushUrl(subscriptionsPath(scope, { page_size: search.page_size }));
            }}
          >
            {t("clear")}
          </Button>
        }
      />
    );
  }
  const page = found && { ...found, next: found.has_next ? "next" : null };
  return (
    <>
      <p role="status" className="mb-2 min-h-5 text-sm text-muted tabular-nums">
        {found && (
          <>
            {found.is_near
              ? t("near")
              : t(found.is_capped ? "more" : "count", { count: found.count })}{" "}
            <IndexFreshness found={found} />
          </>
        )}
      </p>
      <SubscriptionTable {...{ search, page, shown, selection, isBusy }} />
    </>
  );
}
