import { BulkRunListFallback } from "#components/subscriptions/bulk-run-list.tsx";

export default function BulkRunsLoading() {
  return <BulkRunListFallback />;
}
