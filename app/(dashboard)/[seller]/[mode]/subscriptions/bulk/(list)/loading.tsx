import { BulkRunList } from "#components/subscriptions/bulk/bulk-run-list.tsx";

export default function BulkRunsLoading() {
  return <BulkRunList failure={null} isPlaceholder />;
}
