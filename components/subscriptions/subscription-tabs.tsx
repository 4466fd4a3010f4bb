"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { SubscriptionPage } from "#contract/subscriptions.ts";
import { FilterTabs } from "#components/data-table/filter-tabs.tsx";
import { subscriptionsQuery } from "#lib/subscriptions/queries.ts";
import {
  STATUSES,
  subscriptionsPath,
  type SubscriptionSearch,
} from "#lib/subscriptions/search.ts";
import { statusLabel } from "./subscription-status-badge.tsx";

interface SubscriptionTabsProps {
  search: SubscriptionSearch;
  page: SubscriptionPage | undefined;
}

/** Each status is a tab; the service counts only some of them. */
export function SubscriptionTabs({ search, page }: SubscriptionTabsProps) {
  const queryClient = useQueryClient();
  const tabs = [null, ...STATUSES].map((status) => {
    const target: SubscriptionSearch = { ...search, status, page: 1 };
    return {
      href: subscriptionsPath(target),
      label: status === null ? "All" : statusLabel(status),
      count: page && countOf(page, status),
      isCurrent: status === search.status,
      onIntent: () => void queryClient.prefetchQuery(subscriptionsQuery(target)),
    };
  });
  return <FilterTabs label="Filter by status" tabs={tabs} />;
}

function countOf(page: SubscriptionPage, status: SubscriptionSearch["status"]): number | null {
  if (status === null) return page.total_subscriptions;
  if (status === "active") return page.active_subscriptions;
  if (status === "due") return page.due_subscriptions;
  return status === "inactive" ? page.inactive_subscriptions : null;
}
