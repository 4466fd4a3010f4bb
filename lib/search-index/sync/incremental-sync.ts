import "server-only";
import { readClock } from "#lib/db/pool.ts";
import { recordProgress, type SyncLease } from "./sync-lease.ts";
import { requestFullSync } from "./refresh-queue.ts";
import type { ListName } from "#lib/billing/observe.ts";
import { LISTS } from "#lib/search-index/records/lists.ts";
import { readPage } from "./full-sync.ts";
import { storeRows } from "./store.ts";
import type { SyncContext } from "./sync-job.ts";

/** New rows on more pages are left to a full sync. */
const MOST_PAGES = 10;

/** Reads every list from its newest row down to the one that was first the last time. */
export async function syncNewest(desk: SyncContext): Promise<void> {
  // Taken before the calls, so that it is a lower bound.
  const read_at = await readClock(desk.db);
  const newest: SyncLease["newest"] = {};
  for (const list of LISTS) {
    const first = await followList(desk, list);
    if (first !== undefined) newest[list] = first;
  }
  await recordProgress(desk.db, desk.claimed, { read_at, newest: JSON.stringify(newest) });
}

/** @returns the id of the first row now */
async function followList(
  { db, claimed, api }: SyncContext,
  list: ListName,
): Promise<string | undefined> {
  const before = claimed.newest[list];
  // The first time everything is new and the full sync reads it.
  const most = claimed.age === null ? 1 : MOST_PAGES;
  let first: string | undefined;
  for (let page = 1; page <= most; page += 1) {
    const asked_at = await readClock(db);
    const { count, next, rows } = await readPage(api, list, page);
    await storeRows(db, claimed, list, rows, asked_at);
    if (page === 1) {
      first = rows[0]?.id;
      if (count !== null && (await isShorter({ db, claimed }, list, count)))
        await requestFullSync(db, claimed);
    }
    if (next === null || rows.length === 0 || rows.some(({ id }) => id === before))
      return first;
  }
  if (claimed.age !== null) await requestFullSync(db, claimed);
  return first;
}

/** Rows were removed since the last sync; a full sync under way notices that itself. */
async function isShorter(
  { db, claimed }: Pick<SyncContext, "db" | "claimed">,
  list: ListName,
  count: number,
): Promise<boolean> {
  const { rows } = await db.query<{ before: number | null }>(
    `update mirror_round r set total = $4 from mirror_round before
      where r.seller_id = $1 and r.mode = $2 and r.list = $3 and r.ended_at is not null
        and before.seller_id = r.seller_id and before.mode = r.mode and before.list = r.list
     returning before.total as before`,
    [claimed.seller_id, claimed.mode, list, count],
  );
  const before = rows[0]?.before ?? null;
  return before !== null && count < before;
}
