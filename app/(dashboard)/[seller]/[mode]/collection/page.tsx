import { CollectionPage } from "#components/collection/queue/collection-page.tsx";
import { GoodwillDialogProvider } from "#components/subscriptions/record/goodwill-dialog-provider.tsx";
import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { getCollectionSettings, getQueue } from "#lib/collection/data.ts";
import { queueQuery, collectionSettingsQuery } from "#lib/collection/queries.ts";
import { parseQueueSearch, queueCursorFrom } from "#lib/collection/search.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getReminders } from "#lib/messages/reminders/data.ts";
import { remindersQuery } from "#lib/messages/reminders/queries.ts";
import { prefetchAll } from "#lib/query/prefetch.ts";

export const generateMetadata = pageTitle("collection.title");

export default async function Collection({ params, searchParams }: SellerPageProps) {
  const { scope } = await sellerPage(params, "subscriptions:read");
  const parameters = await searchParams;
  const search = parseQueueSearch(parameters);
  const after = queueCursorFrom(parameters);
  const reads = {
    queue: {
      ...queueQuery(scope, search, "", after),
      queryFn: () => getQueue(scope, search, "", after),
    },
    setting: { ...collectionSettingsQuery(scope), queryFn: () => getCollectionSettings(scope) },
    reminders: { ...remindersQuery(scope), queryFn: () => getReminders(scope) },
  };
  const { json, failures } = await prefetchAll(reads);
  return (
    <HydratedQueries json={json}>
      <GoodwillDialogProvider>
        <CollectionPage failure={failures.queue} />
      </GoodwillDialogProvider>
    </HydratedQueries>
  );
}
