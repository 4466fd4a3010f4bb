import { BulkRunSkeleton } from "#components/subscriptions/bulk/bulk-run.tsx";

export default function BulkRunLoading() {
  return <BulkRunSkeleton />;
}
