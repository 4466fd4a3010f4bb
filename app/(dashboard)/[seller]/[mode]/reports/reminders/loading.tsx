import { ReminderReportSkeleton } from "#components/reports/reminders/reminder-report.tsx";

export default function ResultsLoading() {
  return <ReminderReportSkeleton />;
}
