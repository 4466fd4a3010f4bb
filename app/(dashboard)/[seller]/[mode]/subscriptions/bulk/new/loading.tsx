export { BulkPlanSkeleton as default } from "#components/subscriptions/bulk/bulk-plan-page.tsx";
