import { HydratedQueries } from "#components/shell/hydrated-queries.tsx";
import { ReceivedPage } from "#components/receiver/received-page.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetch } from "#lib/query/prefetch.ts";
import { getReceiver } from "#lib/receiver/data.ts";
import { receiverQuery } from "#lib/receiver/queries.ts";
import { parseReceivedSearch } from "#lib/receiver/search.ts";

export const generateMetadata = pageTitle("receiver.title");

interface ReceivedWebhooksPageProps {
  params: ScopeParams;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ReceivedWebhooksPage({
  params,
  searchParams,
}: ReceivedWebhooksPageProps) {
  const { scope } = await sellerPage(params, "webhooks:read");
  const search = parseReceivedSearch(await searchParams);
  const { state, failure } = await prefetch(receiverQuery(scope, search).queryKey, () =>
    getReceiver(scope, search),
  );
  return (
    <HydratedQueries state={state}>
      <ReceivedPage search={search} failure={failure} />
    </HydratedQueries>
  );
}
