import "server-only";
import type pg from "pg";
import type { Mode } from "#lib/scope.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { isDatabaseAway, logOutage } from "#lib/db/away.ts";
import { listenTo } from "#lib/db/listener.ts";
import { logLine } from "#lib/log.ts";
import { acquireSyncLease, releaseSyncLeases, msUntilDue } from "./sync-lease.ts";
import type { Api } from "#lib/search-index/records/lists.ts";
import { runSyncSlice, type SyncSchedule } from "./sync-job.ts";

export interface WorkerOptions {
  pool: pg.Pool;
  /** Database URL for LISTEN: a listener holds its own connection. */
  listenUrl: string;
  modes: readonly Mode[];
  apiOf: (owner: KeyOwner) => Api;
  pace: SyncSchedule;
  /** Other work for a seller, run after each slice of its sync job. */
  tend?: (owner: KeyOwner) => Promise<void>;
}

export interface Worker {
  /** Starts no more slices, releases the leases, and waits for running calls. */
  close: () => Promise<void>;
}

/** Sync jobs that one process runs in parallel. */
const LANES = 2;
const LONGEST_REST = 30_000;
const SHORTEST_REST = 200;
const AFTER_TROUBLE = 5_000;

/**
 * Keeps the search indexes up to date. Each slice belongs to the process that leases it. The index's own row
 * is the job, so a job can neither be lost nor exist twice.
 */
export function startSyncWorker(options: WorkerOptions): Worker {
  const { pool, modes, apiOf, pace, tend } = options;
  const alarm = createAlarm();
  const claims = new Set<string>();
  let isStopped = false;

  const work = async (): Promise<number> => {
    const claimed = await acquireSyncLease(pool, modes);
    if (!claimed) return (await msUntilDue(pool, modes)) ?? LONGEST_REST;
    claims.add(claimed.claim);
    try {
      await runSyncSlice(pool, claimed, apiOf(claimed), pace, () => isStopped);
      if (!isStopped) await tend?.(claimed);
      return 0;
    } finally {
      claims.delete(claimed.claim);
    }
  };
  const run = async () => {
    while (!isStopped) {
      const heard = alarm.rings();
      const wait = await work().catch(complain);
      const rest = Math.min(LONGEST_REST, Math.max(SHORTEST_REST, wait));
      if (wait !== 0) await alarm.rest(rest, heard);
    }
  };

  // While disconnected, due jobs are found within LONGEST_REST.
  const listener = listenTo(options.listenUrl, "mirror", {
    onConnect: alarm.ring,
    onNotice: alarm.ring,
  });
  const lanes = Array.from({ length: LANES }, run);
  const close = async () => {
    isStopped = true;
    alarm.ring();
    await releaseSyncLeases(pool, [...claims]).catch(complain);
    await Promise.all([...lanes, listener.close()]);
  };
  let closing: Promise<void> | undefined;
  return { close: () => (closing ??= close()) };
}

function complain(error: unknown): number {
  if (isDatabaseAway(error)) {
    logOutage(error);
    return AFTER_TROUBLE;
  }
  const reason = error instanceof Error ? error.message.split("\n")[0] : "for no known reason";
  logLine(`copy: the worker could not go on (${reason})`);
  return AFTER_TROUBLE;
}

/** Sleeps until the timeout or a notification; returns at once if one arrived since the last check. */
function createAlarm() {
  const sleepers = new Set<() => void>();
  let rings = 0;
  return {
    ring: () => {
      rings += 1;
      for (const wake of sleepers) wake();
    },
    rings: () => rings,
    rest: (milliseconds: number, heard: number) =>
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
