import { OverviewHeader } from "#components/overview/overview-header.tsx";
import { SubscriptionSummary } from "#components/subscriptions/subscription-summary.tsx";

export default function OverviewLoading() {
  return (
    <>
      <OverviewHeader />
      <SubscriptionSummary isPlaceholder />
    </>
  );
}
