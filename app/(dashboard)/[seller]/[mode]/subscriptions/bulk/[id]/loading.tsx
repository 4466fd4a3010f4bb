export { BulkRunSkeleton as default } from "#components/subscriptions/bulk/bulk-run.tsx";
