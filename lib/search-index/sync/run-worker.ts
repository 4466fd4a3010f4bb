import "server-only";
import { openClient } from "#lib/billing/open-client.ts";
import { createPool } from "#lib/db/pool.ts";
import { availableModes, directDatabaseUrl, env } from "#lib/env.ts";
import { SYNC_SCHEDULE } from "./sync-job.ts";
import { startSyncWorker, type Worker, type WorkerOptions } from "./worker.ts";

// On globalThis, so that a module reloaded in development starts no second one.
const shared = globalThis as typeof globalThis & { duebookWorker?: Worker };

/**
 * The keeper of the copies in this process, until a signal ends that.
 * @param duties what else is done with each turn, one after the other
 */
export function runWorker(...duties: NonNullable<WorkerOptions["tend"]>[]): Worker {
  if (shared.duebookWorker) return shared.duebookWorker;
  const { MIRROR_CALLS: calls } = env();
  const databaseUrl = directDatabaseUrl();
  // Connections of its own: no page waits for one, and a pooler would not pass their setting on.
  const pool = createPool(databaseUrl, { isDurable: false });
  const worker = startSyncWorker({
    pool,
    listenUrl: databaseUrl,
    modes: availableModes(),
    apiOf: (owner) => openClient(owner),
    pace: { ...SYNC_SCHEDULE, calls },
    tend: async (owner) => {
      for (const duty of duties) await duty(owner);
    },
  });
  // Each time: one that nobody listens to would cut the end short that the one before began.
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => void worker.close());
  return (shared.duebookWorker = worker);
}
