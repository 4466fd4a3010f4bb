import { SubscriptionList } from "#components/subscriptions/subscription-list.tsx";

export default function SubscriptionsLoading() {
  return <SubscriptionList isFallback />;
}
