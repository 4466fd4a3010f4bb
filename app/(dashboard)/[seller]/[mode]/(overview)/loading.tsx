import { OverviewHeader } from "#components/overview/overview-header.tsx";
import { SubscriptionSummarySkeleton } from "#components/subscriptions/subscription-summary.tsx";

export default function OverviewLoading() {
  return (
    <>
      <OverviewHeader />
      <SubscriptionSummarySkeleton />
    </>
  );
}
