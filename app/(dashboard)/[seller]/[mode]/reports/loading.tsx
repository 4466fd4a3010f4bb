import { ReportsSkeleton } from "#components/reports/reports.tsx";

export default function ReportsLoading() {
  return <ReportsSkeleton />;
}
