import { SubscriptionListPage } from "#components/subscriptions/list/subscription-list.tsx";

export default function SubscriptionsLoading() {
  return <SubscriptionListPage failure={null} isPlaceholder />;
}
