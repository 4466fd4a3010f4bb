import { SubscriptionList } from "#components/subscriptions/list/subscription-list.tsx";

export default function SubscriptionsLoading() {
  return <SubscriptionList failure={null} isPlaceholder />;
}
