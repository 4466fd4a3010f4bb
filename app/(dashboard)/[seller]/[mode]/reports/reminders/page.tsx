import { ReminderReport } from "#components/reports/reminders/reminder-report.tsx";
import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { getReminderResults } from "#lib/reports/reminders/data.ts";
import { readResultDays, reminderResultsQuery } from "#lib/reports/reminders/queries.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetchAll } from "#lib/query/prefetch.ts";

export const generateMetadata = pageTitle("reminding.title");

export default async function ResultsPage({ params, searchParams }: SellerPageProps) {
  const { scope } = await sellerPage(params, "subscriptions:read");
  const days = readResultDays(await searchParams);
  const { queryKey } = reminderResultsQuery(scope, days);
  const reads = { results: { queryKey, queryFn: () => getReminderResults(scope, days) } };
  const { json, failures } = await prefetchAll(reads);
  return (
    <HydratedQueries json={json}>
      <ReminderReport failure={failures.results} />
    </HydratedQueries>
  );
}
