import { SubscriptionDetailPage } from "#components/subscriptions/record/subscription-record.tsx";

/** Shows at once what the list already knows of the record. */
export default function SubscriptionLoading() {
  return <SubscriptionDetailPage failure={null} isPlaceholder />;
}
