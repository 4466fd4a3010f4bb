import "server-only";
import type pg from "pg";
import { AppError, failureOf, type Failure } from "#lib/failure.ts";
import { readClock } from "#lib/db/pool.ts";
import { isDatabaseAway, logOutage } from "#lib/db/away.ts";
import { logLine } from "#lib/log.ts";
import {
  SyncLeaseLost,
  recordProgress,
  releaseSyncLease,
  type SyncLease,
  type Rest,
} from "./sync-lease.ts";
import { drainRefreshQueue } from "./refresh-queue.ts";
import { recordSeenPayments } from "#lib/search-index/sync/seen-payments.ts";
import type { Api } from "#lib/search-index/records/lists.ts";
import { syncNewest } from "./incremental-sync.ts";
import { continueFullSync } from "./full-sync.ts";

export interface SyncSchedule {
  /** Parallel calls to one seller's API. */
  calls: number;
  /** Seconds between two incremental syncs, and between two full syncs. */
  newestEvery: number;
  roundEvery: number;
  /** Milliseconds of one slice; then another seller's job runs. */
  turn: number;
}

export const SYNC_SCHEDULE: SyncSchedule = {
  calls: 4,
  newestEvery: 30,
  roundEvery: 3_600,
  turn: 15_000,
};

/** What one slice of a sync job works with. */
export interface SyncContext extends SyncSchedule {
  db: pg.Pool;
  claimed: SyncLease;
  api: Api;
  /** Whether the slice should stop. */
  isOver: () => boolean;
}

/**
 * Runs one slice of a seller's sync job: the incremental sync, the refresh queue, then a part of a full sync.
 * Releases the lease in the end, and stores a failure so that the seller can see it.
 */
export async function runSyncSlice(
  db: pg.Pool,
  claimed: SyncLease,
  api: Api,
  pace: SyncSchedule,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const endsAt = performance.now() + pace.turn;
  const isOver = () => isStopped() || performance.now() >= endsAt;
  const desk: SyncContext = { db, claimed, api, isOver, ...pace };
  try {
    const rest = await work(desk);
    await recordSeenPayments(db, claimed);
    await releaseSyncLease(db, claimed, rest);
  } catch (error) {
    if (error instanceof SyncLeaseLost) return;
    if (isDatabaseAway(error)) logOutage(error);
    else if (!(error instanceof AppError)) logLine(`copy: ${reasonOf(error)}`);
    await releaseSyncLease(db, claimed, restAfter(failureOf(error), claimed.failures));
  }
}

async function work(desk: SyncContext): Promise<Rest> {
  const { db, claimed, newestEvery, isOver } = desk;
  const isDue = claimed.age === null || claimed.age >= newestEvery * 1_000 - 500;
  if (isDue) await syncNewest(desk);
  while (!isOver()) {
    if ((await drainRefreshQueue(desk)) > 0) continue;
    if (await continueFullSync(desk)) continue;
    if (!claimed.is_filled)
      await recordProgress(db, claimed, { filled_at: await readClock(db) });
    return { due: newestEvery, halt: null };
  }
  return { due: 0, halt: null };
}

const LONGEST_WAIT = 600;

/** The wait that the billing service requested, else exponential backoff. */
function restAfter(failure: Failure, failures: number): Rest {
  const told = failure.kind === "rate_limited" ? failure.retry_after : null;
  const wait = told ?? Math.min(LONGEST_WAIT, 5 * 2 ** Math.min(failures, 10));
  return { due: wait, halt: { error: failure.kind, wait } };
}

const reasonOf = (error: unknown) =>
  error instanceof Error ? error.message.split("\n")[0] : "an unknown error";
