import { SubscriptionDetailPage } from "#components/subscriptions/record/subscription-record.tsx";

/** Shows what the list has already loaded of the record. */
export default function SubscriptionLoading() {
  return <SubscriptionDetailPage failure={null} isPlaceholder />;
}
