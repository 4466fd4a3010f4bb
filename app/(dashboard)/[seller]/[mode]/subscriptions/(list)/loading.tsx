import { SubscriptionListFallback } from "#components/subscriptions/list/subscription-list.tsx";

export default function SubscriptionsLoading() {
  return <SubscriptionListFallback />;
}
