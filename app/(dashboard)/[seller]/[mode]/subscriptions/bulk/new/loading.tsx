import { BulkPlanSkeleton } from "#components/subscriptions/bulk/bulk-plan-page.tsx";

export default function NewBulkRunLoading() {
  return <BulkPlanSkeleton />;
}
