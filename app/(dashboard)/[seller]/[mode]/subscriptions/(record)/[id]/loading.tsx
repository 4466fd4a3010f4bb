import { SubscriptionDetailPage } from "#components/subscriptions/record/subscription-record.tsx";

/** Shows the part of the record that the list has already loaded. */
export default function SubscriptionLoading() {
  return <SubscriptionDetailPage failure={null} isPlaceholder />;
}
