import { BulkRunFallback } from "#components/subscriptions/bulk-run.tsx";

export default function BulkRunLoading() {
  return <BulkRunFallback />;
}
