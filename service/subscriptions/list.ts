import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { Database } from "../db/database.ts";
import type { Paging } from "../http/pagination.ts";
import { presentCounters, presentSubscription } from "./present.ts";
import { selectPage, selectPageOfStatus, selectTallies } from "./store.ts";

export async function listSubscriptions(
  database: Database,
  sellerId: number,
  status: SubscriptionStatus | undefined,
  paging: Paging,
) {
  const tallies = await selectTallies(database, sellerId);
  const count = tallies
    .filter((tally) => status === undefined || tally.status === status)
    .reduce((sum, tally) => sum + tally.rows, 0);
  const rows =
    status === undefined
      ? await selectPage(database, sellerId, paging, count)
      : await selectPageOfStatus(database, sellerId, status, paging);
  return { count, results: rows.map(presentSubscription), counters: presentCounters(tallies) };
}
