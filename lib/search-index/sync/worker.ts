import "server-only";
import type pg from "pg";
import { withFeed } from "#lib/billing/change-client.ts";
import { openClient } from "#lib/billing/open-client.ts";
import { createPool } from "#lib/db/pool.ts";
import { availableModes, directDatabaseUrl, env } from "#lib/env.ts";
import type { Mode } from "#lib/scope.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { logFault } from "#lib/log.ts";
import { listenTo } from "#lib/db/listener.ts";
import type { SyncApi } from "#lib/search-index/records/lists.ts";
import { Interruption } from "./follow.ts";
import { runFollower, runSyncSlice, SYNC_SCHEDULE, type SyncSchedule } from "./sync-job.ts";
import {
  acquireSyncLease,
  findInterrupted,
  msUntilDue,
  releaseSyncLeases,
  type SyncLease,
} from "./sync-lease.ts";

// On globalThis, so that a module reloaded in development starts no second worker.
const shared = globalThis as typeof globalThis & { duebookWorker?: Worker };

/**
 * Runs the sync worker in this process until a signal stops it.
 * @param duties further work for a seller after each slice, one after the other
 */
export function runWorker(...duties: NonNullable<WorkerOptions["tend"]>[]): Worker {
  if (shared.duebookWorker) return shared.duebookWorker;
  const { MIRROR_CALLS: calls } = env();
  const databaseUrl = directDatabaseUrl();
  // The worker has its own connections, so that pages do not wait for them, and no pooler, which
  // would drop their setting.
  const pool = createPool(databaseUrl, { isDurable: false });
  const worker = startSyncWorker({
    pool,
    listenUrl: databaseUrl,
    modes: availableModes(),
    apiOf: (owner) => withFeed(openClient(owner)),
    pace: { ...SYNC_SCHEDULE, calls },
    tend: async (owner) => {
      for (const duty of duties) await duty(owner);
    },
  });
  // Not once(): a second signal without a listener would end the process before it has closed.
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => void worker.close());
  return (shared.duebookWorker = worker);
}

interface WorkerOptions {
  pool: pg.Pool;
  /** A database URL without a pooler, because LISTEN needs its own connection. */
  listenUrl: string;
  modes: readonly Mode[];
  apiOf: (owner: KeyOwner) => SyncApi;
  pace: SyncSchedule;
  /** Other work for a seller: after each slice of its sync job, and while its feed is followed. */
  tend?: (owner: KeyOwner) => Promise<void>;
}

export interface Worker {
  /** Starts no more slices, releases the leases, and waits for running calls. */
  close: () => Promise<void>;
}

/** Sync jobs that one process runs in parallel. */
const LANES = 2;
/** Indexes that one process follows at most; more of them are read every half minute. */
const MOST_FOLLOWED = 500;
const LONGEST_PAUSE = 30_000;
const SHORTEST_PAUSE = 200;
const AFTER_TROUBLE = 5_000;

/**
 * Keeps the search indexes up to date. An index's own row is its job, so no job is lost or exists
 * twice.
 */
export function startSyncWorker(options: WorkerOptions): Worker {
  const { pool, modes, apiOf, pace, tend } = options;
  const alarm = createAlarm();
  const claims = new Set<string>();
  const followers = new Map<string, Follower>();
  let isStopped = false;

  const work = async (): Promise<number> => {
    const claimed = await acquireSyncLease(pool, modes);
    if (!claimed) return (await msUntilDue(pool, modes)) ?? LONGEST_PAUSE;
    const { claim } = claimed;
    claims.add(claim);
    let isFollowed = false;
    try {
      const mayFollow = followers.size < MOST_FOLLOWED;
      isFollowed = await runSyncSlice(
        pool,
        claimed,
        apiOf(claimed),
        pace,
        () => isStopped,
        mayFollow,
      );
      if (!isStopped) await tend?.(claimed);
      return 0;
    } finally {
      if (isFollowed) follow(claimed);
      else claims.delete(claim);
    }
  };
  const follow = (claimed: SyncLease) => {
    const { claim } = claimed;
    const interruption = new Interruption();
    const context = {
      db: pool,
      claimed,
      api: apiOf(claimed),
      isOver: () => isStopped,
      ...pace,
    };
    const done = runFollower(context, interruption, async () => tend?.(claimed))
      .catch(complain)
      .finally(() => {
        claims.delete(claim);
        followers.delete(claim);
        alarm.ring();
      });
    followers.set(claim, { interruption, done });
  };
  const interrupt = createInterrupter(pool, followers);
  const run = async () => {
    while (!isStopped) {
      const heard = alarm.rings();
      const wait = await work().catch(complain);
      const pause = Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, wait));
      if (wait !== 0) await alarm.pause(pause, heard);
    }
  };

  const ring = () => {
    alarm.ring();
    interrupt();
  };
  // While the listener is disconnected, due jobs are found within LONGEST_PAUSE.
  const listener = listenTo(options.listenUrl, "mirror", {
    onConnect: ring,
    onNotice: ring,
  });
  const lanes = Array.from({ length: LANES }, run);
  const close = async () => {
    isStopped = true;
    alarm.ring();
    for (const { interruption } of followers.values()) interruption.ring();
    await releaseSyncLeases(pool, [...claims]).catch(complain);
    await Promise.all([...lanes, listener.close()]);
    for (const { interruption } of followers.values()) interruption.ring();
    await Promise.all([...followers.values()].map(({ done }) => done));
  };
  let closing: Promise<void> | undefined;
  return { close: () => (closing ??= close()) };
}

interface Follower {
  interruption: Interruption;
  done: Promise<unknown>;
}

/**
 * Interrupts the followers whose indexes have other work, which one query finds for all of them.
 */
function createInterrupter(pool: pg.Pool, followers: Map<string, Follower>): () => void {
  let isLooking = false;
  let isAgain = false;
  const look = async () => {
    isLooking = true;
    do {
      isAgain = false;
      for (const claim of await findInterrupted(pool, [...followers.keys()]))
        followers.get(claim)?.interruption.ring();
    } while (isAgain);
  };
  return () => {
    if (followers.size === 0) return;
    if (isLooking) isAgain = true;
    else
      void look()
        .catch(complain)
        .finally(() => (isLooking = false));
  };
}

/** Logs an error. @returns milliseconds until the next attempt */
function complain(error: unknown): number {
  logFault("index: the sync worker failed", error);
  return AFTER_TROUBLE;
}

/** A sleep that ends at a timeout or a ring; it is skipped if a ring came since `heard`. */
function createAlarm() {
  const sleepers = new Set<() => void>();
  let rings = 0;
  return {
    ring: () => {
      rings += 1;
      for (const wake of sleepers) wake();
    },
    rings: () => rings,
    pause: (milliseconds: number, heard: number) =>
      new Promise<void>((resolve) => {
        if (rings !== heard) return resolve();
        const wake = () => {
          clearTimeout(timer);
          sleepers.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, milliseconds);
        sleepers.add(wake);
      }),
  };
}
