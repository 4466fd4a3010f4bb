export { ReportsSkeleton as default } from "#components/reports/reports.tsx";
