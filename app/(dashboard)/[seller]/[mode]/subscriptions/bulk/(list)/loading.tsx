import { BulkRunListSkeleton } from "#components/subscriptions/bulk/bulk-run-list.tsx";

export default function BulkRunsLoading() {
  return <BulkRunListSkeleton />;
}
