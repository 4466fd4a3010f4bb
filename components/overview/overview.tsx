"use client";

import type { ComponentProps, ReactNode } from "react";
import { Tour } from "#components/guide/tour.tsx";
import { SubscriptionSummary } from "#components/subscriptions/subscription-summary.tsx";
import { FailingEndpoints } from "./failing-endpoints.tsx";
import { MoneyToCheckNotice } from "./money-to-check-notice.tsx";
import { OverviewHeader } from "./overview-header.tsx";

interface OverviewProps {
  tour: ComponentProps<typeof Tour>;
  failures: NonNullable<ComponentProps<typeof SubscriptionSummary>["failures"]>;
  /** The steps before the first payment, while there is no subscription. */
  before: ReactNode;
  /** The same steps afterwards. */
  after: ReactNode;
}

/** The overview's content, and its placeholder: one module, so that both load the same scripts. */
export function Overview({ tour, failures, before, after }: OverviewProps) {
  return (
    <>
      <OverviewHeader />
      <Tour key={String(tour.isAsked)} {...tour} />
      {before}
      <FailingEndpoints />
      <MoneyToCheckNotice />
      <SubscriptionSummary failures={failures} />
      {after}
    </>
  );
}

export function OverviewPlaceholder() {
  return (
    <>
      <OverviewHeader />
      <SubscriptionSummary isPlaceholder />
    </>
  );
}
