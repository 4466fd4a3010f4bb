import "server-only";
import { queryRows } from "#contract/process/database.ts";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import { failureOf } from "#lib/failure.ts";
import { inLongTransaction, readClock } from "#lib/db/pool.ts";
import { SYNC_LEASE_CTE, extendLease, withSyncLease } from "./sync-lease.ts";
import { enqueueRefresh } from "./refresh-queue.ts";
import type { ListName } from "#lib/billing/observe.ts";
import {
  INDEXED_LISTS,
  LISTS_IN_FILL_ORDER,
  rowsOf,
  type ListApi,
  type Page,
} from "#lib/search-index/records/lists.ts";
import { countRowsSince, removeUnseenRows, SCAN_TIMEOUT, storeRows } from "./store.ts";
import type { SyncContext } from "./sync-job.ts";
import {
  startScan,
  advanceScan,
  nextPages,
  type PageSummary,
  type PaginationScan,
} from "./pagination-scan.ts";

/** Reads a page; it is empty after the end of the list. */
export async function readPage(api: ListApi, list: ListName, page: number): Promise<Page> {
  try {
    const read = INDEXED_LISTS[list].readPage(api, { page, page_size: MAX_PAGE_SIZE });
    const { count, next, results } = await read;
    return { count, next, rows: rowsOf(list, results) };
  } catch (error) {
    if (page === 1 || failureOf(error).kind !== "not_found") throw error;
    return { count: null, next: null, rows: [] };
  }
}

interface FullSync {
  list: ListName;
  started_at: string;
  ended: boolean;
  next_page: number;
  total: number | null;
  is_whole: boolean;
  repeats: number;
  /** Whether a full sync is due by its interval or was requested. */
  is_due: boolean;
}

/** Continues with the first unfinished list. @returns false if there is none */
export async function continueFullSync(context: SyncContext): Promise<boolean> {
  const fullSyncs = await readFullSyncs(context);
  for (const list of LISTS_IN_FILL_ORDER) {
    const fullSync = fullSyncs.find((one) => one.list === list);
    if (fullSync && !fullSync.ended) return continueList(context, fullSync);
    if (!fullSync || fullSync.is_due)
      return continueList(context, await startFullSync(context, list, 0));
  }
  return false;
}

const ROUND = `list, started_at::text, ended_at is not null as ended, next_page, total, is_whole,
  repeats`;

/** Whether a list is to be read as a whole, or is being read. */
export async function isFullSyncWanted(context: SyncContext): Promise<boolean> {
  const fullSyncs = await readFullSyncs(context);
  return (
    fullSyncs.length < LISTS_IN_FILL_ORDER.length ||
    fullSyncs.some(({ ended, is_due }) => !ended || is_due)
  );
}

const readFullSyncs = ({ db, claimed, roundEvery }: SyncContext) =>
  queryRows<FullSync>(
    db,
    `select ${ROUND},
            m.feed_cursor is null and started_at < clock_timestamp() - make_interval(secs => $3)
              or coalesce(started_at < m.round_wanted_at, false) as is_due
       from mirror_round join mirror m using (seller_id, mode)
      where seller_id = $1 and mode = $2`,
    [claimed.seller_id, claimed.mode, roundEvery],
  );

async function startFullSync(
  context: SyncContext,
  list: ListName,
  repeats: number,
): Promise<FullSync> {
  const kind = context.claimed.is_filled ? "full" : "fill";
  const [fullSync] = await withSyncLease<FullSync>(
    context.db,
    context.claimed,
    `${SYNC_LEASE_CTE} insert into mirror_round (seller_id, mode, list, kind, repeats)
     select $1, $2, $5, $6, $7 from held
     on conflict (seller_id, mode, list) do update
       set kind = excluded.kind, started_at = clock_timestamp(), ended_at = null, next_page = 1,
           total = null, rows_read = 0, is_whole = true, repeats = excluded.repeats
     returning true as is_held, ${ROUND}, false as is_due`,
    [list, kind, repeats],
  );
  if (!fullSync) throw new Error("the row of a full sync was not stored");
  return fullSync;
}

/** Reads until the list or the slice ends; reads a batch while the one before is written. */
async function continueList(context: SyncContext, fullSync: FullSync): Promise<true> {
  let scan = startScan(fullSync.next_page, fullSync.total, fullSync.is_whole);
  let reading = readBatch(context, fullSync.list, scan);
  for (;;) {
    const batch = await reading;
    scan = advanceScan(scan, batch.pages);
    const isOver = scan.is_ended || context.isOver();
    if (!isOver) {
      reading = readBatch(context, fullSync.list, scan);
      // The promise is awaited above; until then its rejection must not count as unhandled.
      reading.catch(() => {});
    }
    await storeBatch(context, fullSync.list, batch);
    await savePosition(context, fullSync.list, scan, batch.rows.length);
    if (isOver) break;
  }
  if (scan.is_ended) await finishFullSync(context, fullSync, scan);
  return true;
}

/**
 * Stores a batch by two statements on two connections, which use two processors of the database.
 */
async function storeBatch(
  { db, claimed }: SyncContext,
  list: ListName,
  { rows, asked_at }: Batch,
) {
  const half = Math.ceil(rows.length / 2);
  const parts = [rows.slice(0, half), rows.slice(half)];
  await Promise.all(parts.map((part) => storeRows(db, claimed, list, part, asked_at)));
}

interface Batch {
  asked_at: string;
  pages: PageSummary[];
  rows: Page["rows"];
}

async function readBatch(
  context: SyncContext,
  list: ListName,
  scan: PaginationScan,
): Promise<Batch> {
  const asked_at = await readClock(context.db);
  const numbers = nextPages(scan, context.calls);
  const read = await Promise.all(numbers.map((page) => readPage(context.api, list, page)));
  const pages = read.map(({ count, next, rows }, at) => ({
    page: numbers[at] ?? 0,
    count,
    rows: rows.length,
    is_last: next === null || rows.length === 0,
  }));
  const rows = new Map(read.flatMap((page) => page.rows.map((row) => [row.id, row])));
  return { asked_at, pages, rows: [...rows.values()] };
}

async function savePosition(
  { db, claimed }: SyncContext,
  list: ListName,
  scan: PaginationScan,
  rows: number,
) {
  await withSyncLease(
    db,
    claimed,
    `${SYNC_LEASE_CTE} update mirror_round
        set next_page = $6, total = $7, is_whole = $8, rows_read = rows_read + $9
       from held where seller_id = $1 and mode = $2 and list = $5
     returning true as is_held`,
    [list, scan.next_page, scan.total, scan.is_whole, rows],
  );
}

const MOST_REPEATS = 2;
const MOST_ASKED_FOR = 500;

/**
 * Removes rows that the list did not contain. If the scan may have missed some, starts it again, and
 * after too many repeats queues the missing rows to be read one by one.
 */
async function finishFullSync(
  context: SyncContext,
  fullSync: FullSync,
  scan: PaginationScan,
): Promise<void> {
  const { db, claimed } = context;
  const { list, started_at, repeats } = fullSync;
  const { fresh, missed } = await countRowsSince(db, claimed, list, started_at);
  await extendLease(db, claimed);
  const isCounted = scan.is_whole && scan.total !== null && fresh >= scan.total;
  // A missing product cannot be read alone; the next full sync reads it.
  const isWhole = isCounted || (scan.total === null && list === "products");
  if (!isWhole && scan.total !== null && repeats < MOST_REPEATS)
    return void (await startFullSync(context, list, repeats + 1));
  if (missed > 0 && isWhole) await removeUnseenRows(db, claimed, list, started_at);
  else if (missed > 0 && list !== "products") await askForMissed(context, list, started_at);
  await withSyncLease(
    db,
    claimed,
    `${SYNC_LEASE_CTE} update mirror_round set ended_at = clock_timestamp(), total = $6, whole_since = started_at
       from held where seller_id = $1 and mode = $2 and list = $5 returning true as is_held`,
    [list, scan.total],
  );
}

async function askForMissed(
  { db, claimed }: SyncContext,
  list: Exclude<ListName, "products">,
  started_at: string,
) {
  const { rows } = await inLongTransaction(db, SCAN_TIMEOUT, (connection) =>
    connection.query<{ id: string }>(
      `select id from ${INDEXED_LISTS[list].table}
        where seller_id = $1 and mode = $2 and asked_at < $3 order by asked_at limit $4`,
      [claimed.seller_id, claimed.mode, started_at, MOST_ASKED_FOR],
    ),
  );
  await enqueueRefresh(
    db,
    claimed,
    list,
    rows.map(({ id }) => id),
  );
}
