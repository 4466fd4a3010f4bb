import "server-only";
import type pg from "pg";
import type { Mode } from "#lib/scope.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { isDatabaseAway, tellAway } from "#lib/db/away.ts";
import { listenTo } from "#lib/db/listener.ts";
import { logLine } from "#lib/log.ts";
import { acquireSyncLease, releaseSyncLeases, msUntilDue } from "./sync-lease.ts";
import type { Api } from "#lib/search-index/records/lists.ts";
import { runSyncSlice, type SyncSchedule } from "./sync-job.ts";

export interface WorkerOptions {
  pool: pg.Pool;
  /** Where to hear that there is something to do: a listener holds a connection of its own. */
  listenUrl: string;
  modes: readonly Mode[];
  apiOf: (owner: KeyOwner) => Api;
  pace: SyncSchedule;
  /** What else is due for a seller whose copy had its turn. */
  tend?: (owner: KeyOwner) => Promise<void>;
}

export interface Worker {
  /** Begins nothing more, lets go of what it has, and waits for the calls under way. */
  close: () => Promise<void>;
}

/** Copies that one process works on at the same time. */
const LANES = 2;
const LONGEST_REST = 30_000;
const SHORTEST_REST = 200;
const AFTER_TROUBLE = 5_000;

/**
 * Keeps the copies: each turn belongs to one process, whichever claims it. The copy's own row is the
 * job, so that a job can neither be lost nor be there twice.
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

  // While it is cut off, what is due is found within LONGEST_REST.
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
    tellAway(error);
    return AFTER_TROUBLE;
  }
  const reason = error instanceof Error ? error.message.split("\n")[0] : "for no known reason";
  logLine(`copy: the worker could not go on (${reason})`);
  return AFTER_TROUBLE;
}

/** A rest that ends early when it rings, and is none where it has rung since the last look. */
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
