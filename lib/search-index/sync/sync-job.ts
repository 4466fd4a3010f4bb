import "server-only";
import type pg from "pg";
import { AppError, type Failure, failureOf } from "#lib/failure.ts";
import { readClock, type Database } from "#lib/db/pool.ts";
import { logFault } from "#lib/log.ts";
import { type SyncApi, LISTS_IN_FILL_ORDER } from "#lib/search-index/records/lists.ts";
import type { ListName } from "#lib/billing/observe.ts";
import {
  recordProgress,
  releaseSyncLease,
  type SyncDelays,
  type SyncLease,
  SyncLeaseLost,
} from "./sync-lease.ts";
import { keepDailySums } from "./daily-sums.ts";
import { drainRefreshQueue, requestFullSync } from "./refresh-queue.ts";
import { recordSeenPayments, storeRows } from "./store.ts";
import { continueFullSync, readPage } from "./full-sync.ts";
import {
  continueHistory,
  continuePayments,
  follow,
  readFeed,
  type Interruption,
} from "./follow.ts";

export interface SyncSchedule {
  /** Parallel calls to one seller's API. */
  calls: number;
  /** Seconds between two incremental syncs, and between two full syncs. */
  newestEvery: number;
  roundEvery: number;
  /** The length of a slice in milliseconds; then another seller's job runs. */
  turn: number;
}

export const SYNC_SCHEDULE: SyncSchedule = {
  calls: 4,
  newestEvery: 30,
  roundEvery: 3_600,
  turn: 15_000,
};

/** The input of one slice of a sync job. */
export interface SyncContext extends SyncSchedule {
  db: pg.Pool;
  claimed: SyncLease;
  api: SyncApi;
  /** Whether the slice should stop. */
  isOver: () => boolean;
}

/**
 * Runs one slice of a seller's sync job: the service's feed of changes or the incremental sync, the
 * refresh queue, then a part of a full sync. Stores a failure, so that the seller can see it.
 * @returns whether the lease is kept to follow the feed from here; never without `mayFollow`
 */
export async function runSyncSlice(
  db: pg.Pool,
  claimed: SyncLease,
  api: SyncApi,
  pace: SyncSchedule,
  isStopped: () => boolean = () => false,
  mayFollow = false,
): Promise<boolean> {
  const endsAt = performance.now() + pace.turn;
  const isOver = () => isStopped() || performance.now() >= endsAt;
  const context: SyncContext = { db, claimed, api, isOver, ...pace };
  let isFollowed = false;
  await underLease(db, claimed, async () => {
    const rest = await work(context);
    await recordSeenPayments(db, claimed);
    await keepDailySums(db, claimed);
    isFollowed = mayFollow && claimed.cursor !== null && rest.due > 0;
    return isFollowed ? null : rest;
  });
  return isFollowed;
}

/** Follows the feed of a job whose lease `runSyncSlice` kept, then releases it. */
export async function runFollower(
  context: SyncContext,
  interruption: Interruption,
  rest: () => Promise<void>,
): Promise<void> {
  await underLease(context.db, context.claimed, async () => {
    await follow(context, interruption, rest);
    return { due: 0, halt: null };
  });
}

/** Releases the lease after some work, also if it fails; keeps it if the work returns null. */
async function underLease(
  db: pg.Pool,
  claimed: SyncLease,
  run: () => Promise<SyncDelays | null>,
): Promise<void> {
  try {
    const rest = await run();
    if (rest) await releaseSyncLease(db, claimed, rest);
  } catch (error) {
    if (error instanceof SyncLeaseLost) return;
    if (!(error instanceof AppError)) logFault("index: a sync job failed", error);
    await releaseSyncLease(db, claimed, restAfter(failureOf(error), claimed.failures));
  }
}

async function work(context: SyncContext): Promise<SyncDelays> {
  const { db, claimed, newestEvery, isOver } = context;
  const isFollowed = (await readFeed(context)) !== null;
  const isDue = claimed.age === null || claimed.age >= newestEvery * 1_000 - 500;
  if (isDue && !isFollowed) await syncNewest(context);
  while (!isOver()) {
    if ((await drainRefreshQueue(context)) > 0) continue;
    if (await continueFullSync(context)) continue;
    if (!claimed.is_filled) {
      await recordProgress(db, claimed, { filled_at: await readClock(db) });
      claimed.is_filled = true;
    }
    if (await continueHistory(context)) continue;
    if (await continuePayments(context)) continue;
    return { due: newestEvery, halt: null };
  }
  return { due: 0, halt: null };
}

const LONGEST_WAIT = 600;

/** The wait that the billing service requested, else exponential backoff. */
function restAfter(failure: Failure, failures: number): SyncDelays {
  const told = failure.kind === "rate_limited" ? failure.retry_after : null;
  const wait = told ?? Math.min(LONGEST_WAIT, 5 * 2 ** Math.min(failures, 10));
  return { due: wait, halt: { error: failure.kind, wait } };
}

/** The most pages of an incremental sync; a full sync reads new rows beyond these. */
const MOST_PAGES = 10;

/** Reads every list from its newest row down to the one that was first the last time. */
export async function syncNewest(context: SyncContext): Promise<void> {
  // Read before the calls, so that it is a lower bound.
  const read_at = await readClock(context.db);
  const newest: SyncLease["newest"] = {};
  for (const list of LISTS_IN_FILL_ORDER) {
    const first = await followList(context, list);
    if (first !== undefined) newest[list] = first;
  }
  await recordProgress(context.db, context.claimed, {
    read_at,
    newest: JSON.stringify(newest),
  });
}

/** @returns the id of the first row */
async function followList(
  { db, claimed, api }: SyncContext,
  list: ListName,
): Promise<string | undefined> {
  const before = claimed.newest[list];
  // At first every row is new, and the full sync reads them.
  const most = claimed.age === null ? 1 : MOST_PAGES;
  let first: string | undefined;
  for (let page = 1; page <= most; page += 1) {
    const asked_at = await readClock(db);
    const { count, next, rows } = await readPage(api, list, page);
    await storeRows(db, claimed, list, rows, asked_at);
    if (page === 1) {
      first = rows[0]?.id;
      if (count !== null && (await isShorter(db, claimed, list, count)))
        await requestFullSync(db, claimed);
    }
    if (next === null || rows.length === 0 || rows.some(({ id }) => id === before))
      return first;
  }
  if (claimed.age !== null) await requestFullSync(db, claimed);
  return first;
}

/** Whether rows were removed since the last sync; a running full sync notices that itself. */
async function isShorter(
  db: Database,
  { seller_id, mode }: SyncLease,
  list: ListName,
  count: number,
): Promise<boolean> {
  const { rows } = await db.query<{ before: number | null }>(
    `update mirror_round r set total = $4 from mirror_round before
      where r.seller_id = $1 and r.mode = $2 and r.list = $3 and r.ended_at is not null
        and before.seller_id = r.seller_id and before.mode = r.mode and before.list = r.list
     returning before.total as before`,
    [seller_id, mode, list, count],
  );
  const before = rows[0]?.before ?? null;
  return before !== null && count < before;
}
