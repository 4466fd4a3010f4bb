import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { ReceivedPage } from "#components/receiver/received-page.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetch } from "#lib/query/prefetch.ts";
import { getReceiver } from "#lib/receiver/data.ts";
import { parseReceivedSearch, receiverQuery } from "#lib/receiver/queries.ts";

export const generateMetadata = pageTitle("receiver.title");

export default async function ReceivedWebhooksPage({ params, searchParams }: SellerPageProps) {
  const { scope } = await sellerPage(params, "webhooks:read");
  const search = parseReceivedSearch(await searchParams);
  const { json, failure } = await prefetch(receiverQuery(scope, search), () =>
    getReceiver(scope, search),
  );
  return (
    <HydratedQueries json={json}>
      <ReceivedPage search={search} failure={failure} />
    </HydratedQueries>
  );
}
