import { PageHeader } from "#components/layout/page-header.tsx";
import { CreateSubscriptionSkeleton } from "#components/subscriptions/create-subscription-skeleton.tsx";

export default function NewSubscriptionLoading() {
  return (
    <>
      <PageHeader title="New subscription" />
      <CreateSubscriptionSkeleton />
    </>
  );
}
