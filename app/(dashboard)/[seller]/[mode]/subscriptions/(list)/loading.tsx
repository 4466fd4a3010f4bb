import { SubscriptionListFallback } from "#components/subscriptions/subscription-list.tsx";

export default function SubscriptionsLoading() {
  return <SubscriptionListFallback />;
}
