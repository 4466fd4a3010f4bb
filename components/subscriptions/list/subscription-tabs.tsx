"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { SubscriptionPage } from "#contract/subscriptions.ts";
import { FilterTabs } from "#components/list/filters/filter-tabs.tsx";
import { useScope } from "#components/shell/seller-context.tsx";
import { findPath, isPlain, listOf, type FindSearch } from "#lib/subscriptions/list-search.ts";
import { subscriptionsQuery, type SubscriptionCounts } from "#lib/subscriptions/queries.ts";
import { areCountersWhole, countIn } from "#lib/subscriptions/rules.ts";
import { STATUSES } from "#lib/subscriptions/search.ts";
import { plainOf } from "./listed-subscriptions.tsx";
import { statusLabel } from "#components/subscriptions/subscription-status-badge.tsx";

interface SubscriptionTabsProps {
  search: FindSearch;
  page: SubscriptionPage | undefined;
  /** As the copy has them; null where it cannot tell, and the service counts some of them. */
  counts: SubscriptionCounts | null;
}

/** Each status is a tab, and so are one-time purchases; their numbers add up to all. */
export function SubscriptionTabs({ search, page, counts }: SubscriptionTabsProps) {
  const t = useTranslations("subscriptions");
  const queryClient = useQueryClient();
  const scope = useScope();
  const everything = subscriptionsQuery(scope, { ...plainOf(search), status: null, page: 1 });
  const counted =
    page && !areCountersWhole(page, search.status)
      ? queryClient.getQueryData(everything.queryKey)
      : page;
  const current = search.kind === "one_time" ? search.kind : search.status;
  const hasOnce = current === "one_time" || (counts?.one_time ?? 0) > 0;
  const names = [null, ...STATUSES, ...(hasOnce ? (["one_time"] as const) : [])];
  const labelOf = (name: (typeof names)[number]) => {
    if (name === "one_time") return t("filter.oneTime");
    return name === null ? t("filter.all") : statusLabel(t, name);
  };
  const tabs = names.map((name) => {
    const target: FindSearch = { ...search, ...listOf(name, counts), page: 1 };
    return {
      href: findPath(scope, target),
      label: labelOf(name),
      count: countIn({ counts, page: counted }, name),
      isCurrent: name === current,
      onIntent: () => {
        if (isPlain(target))
          void queryClient.prefetchQuery(subscriptionsQuery(scope, plainOf(target)));
      },
    };
  });
  return <FilterTabs label={t("filter.label")} tabs={tabs} />;
}
