"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { SubscriptionPage } from "#contract/subscriptions.ts";
import { FilterTabs } from "#components/data-table/filter-tabs.tsx";
import { useScope } from "#components/layout/seller-context.tsx";
import { findPath, isPlain, type FindSearch } from "#lib/search/search.ts";
import { subscriptionsQuery } from "#lib/subscriptions/queries.ts";
import { areCountersWhole } from "#lib/subscriptions/rules.ts";
import { STATUSES, type SubscriptionSearch } from "#lib/subscriptions/search.ts";
import { plainOf } from "./listed-subscriptions.tsx";
import { statusLabel } from "./subscription-status-badge.tsx";

interface SubscriptionTabsProps {
  search: FindSearch;
  page: SubscriptionPage | undefined;
}

/** Each status is a tab; the service counts only some of them. */
export function SubscriptionTabs({ search, page }: SubscriptionTabsProps) {
  const t = useTranslations("subscriptions");
  const queryClient = useQueryClient();
  const scope = useScope();
  const everything = subscriptionsQuery(scope, { ...plainOf(search), status: null, page: 1 });
  const counted =
    page && !areCountersWhole(page, search.status)
      ? queryClient.getQueryData(everything.queryKey)
      : page;
  const tabs = [null, ...STATUSES].map((status) => {
    const target: FindSearch = { ...search, status, page: 1 };
    return {
      href: findPath(scope, target),
      label: status === null ? t("filter.all") : statusLabel(t, status),
      count: counted && countOf(counted, status),
      isCurrent: status === search.status,
      onIntent: () => {
        if (isPlain(target))
          void queryClient.prefetchQuery(subscriptionsQuery(scope, plainOf(target)));
      },
    };
  });
  return <FilterTabs label={t("filter.label")} tabs={tabs} />;
}

function countOf(page: SubscriptionPage, status: SubscriptionSearch["status"]): number | null {
  if (status === null) return page.total_subscriptions;
  if (status === "active") return page.active_subscriptions;
  if (status === "due") return page.due_subscriptions;
  return status === "inactive" ? page.inactive_subscriptions : null;
}
