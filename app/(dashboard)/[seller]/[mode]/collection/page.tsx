import { CollectionDesk } from "#components/collection/queue/collection-desk.tsx";
import { CourtesyMoves } from "#components/subscriptions/record/courtesy-moves.tsx";
import { HydratedQueries } from "#components/shell/hydrated-queries.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { getDeskSetting, listDesk } from "#lib/collection/data.ts";
import { deskQuery, deskSettingQuery } from "#lib/collection/queries.ts";
import { parseDeskSearch, placeAt } from "#lib/collection/search.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getReminders } from "#lib/messages/reminders/data.ts";
import { remindersQuery } from "#lib/messages/reminders/queries.ts";
import { prefetchAll } from "#lib/query/prefetch.ts";

export const generateMetadata = pageTitle("collection.title");

/** Milliseconds that the page waits for its slowest part. */
const PATIENCE = 1_000;

interface CollectionPageProps {
  params: ScopeParams;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function CollectionPage({ params, searchParams }: CollectionPageProps) {
  const { scope } = await sellerPage(params, "subscriptions:read");
  const parameters = await searchParams;
  const search = parseDeskSearch(parameters);
  const after = placeAt(parameters);
  const reads = {
    queue: {
      queryKey: deskQuery(scope, search, "", after).queryKey,
      queryFn: () => listDesk(scope, search, "", after),
    },
    setting: {
      queryKey: deskSettingQuery(scope).queryKey,
      queryFn: () => getDeskSetting(scope),
    },
    reminders: {
      queryKey: remindersQuery(scope).queryKey,
      queryFn: () => getReminders(scope),
    },
  };
  const { state, failures } = await prefetchAll(reads, PATIENCE);
  return (
    <HydratedQueries state={state}>
      <CourtesyMoves>
        <CollectionDesk failure={failures.queue} />
      </CourtesyMoves>
    </HydratedQueries>
  );
}
