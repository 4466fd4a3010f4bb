import { HydratedQueries } from "#components/layout/hydrated-queries.tsx";
import { ReceivedPage } from "#components/receiver/received-page.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetch } from "#lib/query/prefetch.ts";
import { getReceiver } from "#lib/receiver/data.ts";
import { receiverQuery } from "#lib/receiver/queries.ts";

export const generateMetadata = pageTitle("receiver.title");

export default async function ReceivedWebhooksPage({ params }: { params: ScopeParams }) {
  const { scope } = await sellerPage(params, "webhooks:read");
  const { state, failure } = await prefetch(receiverQuery(scope).queryKey, () =>
    getReceiver(scope),
  );
  return (
    <HydratedQueries state={state}>
      <ReceivedPage failure={failure} />
    </HydratedQueries>
  );
}
