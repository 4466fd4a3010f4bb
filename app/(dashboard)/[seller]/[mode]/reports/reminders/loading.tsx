export { ReminderReportSkeleton as default } from "#components/reports/reminders/reminder-report.tsx";
