import { BulkRunListFallback } from "#components/subscriptions/bulk/bulk-run-list.tsx";

export default function BulkRunsLoading() {
  return <BulkRunListFallback />;
}
