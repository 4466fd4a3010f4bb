import { CollectionPage } from "#components/collection/queue/collection-page.tsx";
import { GoodwillDialogProvider } from "#components/subscriptions/record/goodwill-dialog-provider.tsx";
import { HydratedQueries } from "#components/shell/hydrated-queries.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { getCollectionSettings, getQueue } from "#lib/collection/data.ts";
import { queueQuery, collectionSettingsQuery } from "#lib/collection/queries.ts";
import { parseQueueSearch, cursorAt } from "#lib/collection/search.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getReminders } from "#lib/messages/reminders/data.ts";
import { remindersQuery } from "#lib/messages/reminders/queries.ts";
import { prefetchAll } from "#lib/query/prefetch.ts";

export const generateMetadata = pageTitle("collection.title");

/** Milliseconds that the page waits for its slowest part. */
const TIMEOUT_MS = 1_000;

interface CollectionProps {
  params: ScopeParams;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Collection({ params, searchParams }: CollectionProps) {
  const { scope } = await sellerPage(params, "subscriptions:read");
  const parameters = await searchParams;
  const search = parseQueueSearch(parameters);
  const after = cursorAt(parameters);
  const reads = {
    queue: {
      queryKey: queueQuery(scope, search, "", after).queryKey,
      queryFn: () => getQueue(scope, search, "", after),
    },
    setting: {
      queryKey: collectionSettingsQuery(scope).queryKey,
      queryFn: () => getCollectionSettings(scope),
    },
    reminders: {
      queryKey: remindersQuery(scope).queryKey,
      queryFn: () => getReminders(scope),
    },
  };
  const { state, failures } = await prefetchAll(reads, TIMEOUT_MS);
  return (
    <HydratedQueries state={state}>
      <GoodwillDialogProvider>
        <CollectionPage failure={failures.queue} />
      </GoodwillDialogProvider>
    </HydratedQueries>
  );
}
