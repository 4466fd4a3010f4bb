import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { BulkRunContent } from "#components/subscriptions/bulk/bulk-run.tsx";
import { sellerPage, type RecordParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetch } from "#lib/query/prefetch.ts";
import { getBulkRun } from "#lib/subscriptions/bulk/data.ts";
import { bulkRunQuery } from "#lib/subscriptions/bulk/queries.ts";

export const generateMetadata = pageTitle("bulk.one");

export default async function BulkRunPage({ params }: { params: Promise<RecordParams> }) {
  const { scope } = await sellerPage(params, "subscriptions:read");
  const { id } = await params;
  const { json, failure } = await prefetch(bulkRunQuery(scope, id), () =>
    getBulkRun(scope, id),
  );
  return (
    <HydratedQueries json={json}>
      <BulkRunContent failure={failure} />
    </HydratedQueries>
  );
}
