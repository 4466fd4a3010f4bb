import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { Database } from "../db/database.ts";
import type { Paging } from "../http/pagination.ts";
import { presentCounters, presentSubscription } from "./present.ts";
import { selectPage, selectPageOfStatus } from "./list-store.ts";

export async function listSubscriptions(
  database: Database,
  sellerId: number,
  status: SubscriptionStatus | undefined,
  paging: Paging,
) {
  const { tallies, rows } =
    status === undefined
      ? await selectPage(database, sellerId, paging)
      : await selectPageOfStatus(database, sellerId, status, paging);
  const count = tallies
    .filter((tally) => status === undefined || tally.status === status)
    .reduce((sum, tally) => sum + tally.rows, 0);
  return { count, results: rows.map(presentSubscription), counters: presentCounters(tallies) };
}
