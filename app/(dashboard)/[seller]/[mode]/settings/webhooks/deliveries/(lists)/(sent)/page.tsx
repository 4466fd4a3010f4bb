import { DeliveryListPage } from "#components/deliveries/delivery-list.tsx";
import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { listDeliveries } from "#lib/deliveries/data.ts";
import { deliveriesQuery } from "#lib/deliveries/queries.ts";
import { parseDeliverySearch } from "#lib/deliveries/search.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetch } from "#lib/query/prefetch.ts";

export const generateMetadata = pageTitle("deliveries.title");

export default async function DeliveriesPage({ params, searchParams }: SellerPageProps) {
  const { scope } = await sellerPage(params, "webhooks:read");
  const search = parseDeliverySearch(await searchParams);
  const { json, failure } = await prefetch(deliveriesQuery(scope, search), () =>
    listDeliveries(scope, search),
  );
  return (
    <HydratedQueries json={json}>
      <DeliveryListPage failure={failure} />
    </HydratedQueries>
  );
}
