import { Reports } from "#components/reports/reports.tsx";
import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { getReport } from "#lib/reports/data.ts";
import { reportQuery } from "#lib/reports/queries.ts";
import { parseReportSearch, type ReportName } from "#lib/reports/search.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetchAll } from "#lib/query/prefetch.ts";

export const generateMetadata = pageTitle("reports.title");

export default async function ReportsPage({ params, searchParams }: SellerPageProps) {
  const { scope } = await sellerPage(params, "reports:read");
  const search = parseReportSearch(await searchParams);
  const read = (name: ReportName) => ({
    ...reportQuery(scope, name, search),
    queryFn: () => getReport(scope, name, search),
  });
  const reads = {
    revenue: read("revenue"),
    subscribers: read("subscribers"),
    movement: read("movement"),
    leaving: read("leaving"),
    checkouts: read("checkouts"),
    owed: read("owed"),
    expected: read("expected"),
    collected: read("collected"),
    products: read("products"),
    retention: read("retention"),
  };
  const { json, failures } = await prefetchAll(reads);
  return (
    <HydratedQueries json={json}>
      <Reports failures={failures} />
    </HydratedQueries>
  );
}
