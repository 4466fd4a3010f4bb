import { DeliveryRecord } from "#components/deliveries/delivery-record.tsx";
import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { sellerPage, type RecordParams } from "#lib/auth/guards/seller-page.ts";
import { getDelivery } from "#lib/deliveries/data.ts";
import { deliveryQuery } from "#lib/deliveries/queries.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetch } from "#lib/query/prefetch.ts";

export const generateMetadata = pageTitle("deliveries.one");

export default async function DeliveryPage({ params }: { params: Promise<RecordParams> }) {
  const { scope } = await sellerPage(params, "webhooks:read");
  const { id } = await params;
  const { json, failure } = await prefetch(deliveryQuery(scope, id), () =>
    getDelivery(scope, id),
  );
  return (
    <HydratedQueries json={json}>
      <DeliveryRecord failure={failure} />
    </HydratedQueries>
  );
}
