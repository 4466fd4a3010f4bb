import { MessageListPage } from "#components/messages/sending/message-list.tsx";
import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { listMessages } from "#lib/messages/sending/data.ts";
import { messagesQuery } from "#lib/messages/sending/queries.ts";
import { parseMessageSearch } from "#lib/messages/sending/search.ts";
import { prefetch } from "#lib/query/prefetch.ts";

export const generateMetadata = pageTitle("sending.list.title");

export default async function SentMessagesPage({ params, searchParams }: SellerPageProps) {
  const { scope } = await sellerPage(params, "subscriptions:read");
  const search = parseMessageSearch(await searchParams);
  const { json, failure } = await prefetch(messagesQuery(scope, search), () =>
    listMessages(scope, search),
  );
  return (
    <HydratedQueries json={json}>
      <MessageListPage failure={failure} />
    </HydratedQueries>
  );
}
