import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { BulkRunList } from "#components/subscriptions/bulk/bulk-run-list.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetch } from "#lib/query/prefetch.ts";
import { listBulkRuns } from "#lib/subscriptions/bulk/data.ts";
import { bulkRunsQuery } from "#lib/subscriptions/bulk/queries.ts";

export const generateMetadata = pageTitle("bulk.title");

export default async function BulkRunsPage({ params }: { params: ScopeParams }) {
  const { scope } = await sellerPage(params, "subscriptions:read");
  const { json, failure } = await prefetch(bulkRunsQuery(scope), () => listBulkRuns(scope));
  return (
    <HydratedQueries json={json}>
      <BulkRunList failure={failure} />
    </HydratedQueries>
  );
}
