"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { FilterTabs } from "#components/list/filters/filter-tabs.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import {
  type SubscriptionCounts,
  subscriptionsQuery,
  type SubscriptionList,
} from "#lib/subscriptions/queries.ts";
import { areCountersWhole, countIn } from "#lib/subscriptions/rules.ts";
import {
  ALL_SUBSCRIPTIONS,
  STATUSES,
  subscriptionsPath,
  tabFilters,
  type SubscriptionSearch,
} from "#lib/subscriptions/search.ts";
import { statusLabel } from "#components/subscriptions/subscription-status-badge.tsx";

interface SubscriptionTabsProps {
  search: SubscriptionSearch;
  words: string;
  list: SubscriptionList | undefined;
  /** Of the search index; null if it cannot tell, and the API counts some of them. */
  counts: SubscriptionCounts | null;
}

/** One tab for each status and one for one-time purchases; their numbers add up to all. */
export function SubscriptionTabs({ search, words, list, counts }: SubscriptionTabsProps) {
  const t = useTranslations("subscriptions");
  const queryClient = useQueryClient();
  const scope = useScope();
  const { page_size } = search;
  const everything = subscriptionsQuery(scope, { ...ALL_SUBSCRIPTIONS, page_size });
  const counted =
    list && !areCountersWhole(list, search.status)
      ? queryClient.getQueryData(everything.queryKey)
      : list;
  const current = search.kind === "one_time" ? search.kind : search.status;
  const hasOnce = current === "one_time" || (counts?.one_time ?? 0) > 0;
  const names = [null, ...STATUSES, ...(hasOnce ? (["one_time"] as const) : [])];
  const labelOf = (name: (typeof names)[number]) => {
    if (name === "one_time") return t("filter.oneTime");
    return name === null ? t("filter.all") : statusLabel(t, name);
  };
  const tabs = names.map((name) => {
    const target: SubscriptionSearch = { ...search, ...tabFilters(name, counts), page: 1 };
    return {
      href: subscriptionsPath(scope, target),
      label: labelOf(name),
      count: countIn({ counts, page: counted }, name),
      isCurrent: name === current,
      onIntent: () => void queryClient.prefetchQuery(subscriptionsQuery(scope, target, words)),
    };
  });
  return <FilterTabs label={t("filter.label")} tabs={tabs} />;
}
