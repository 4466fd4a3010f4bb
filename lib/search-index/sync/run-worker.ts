import "server-only";
import { openClient } from "#lib/billing/open-client.ts";
import { createPool } from "#lib/db/pool.ts";
import { availableModes, directDatabaseUrl, env } from "#lib/env.ts";
import { SYNC_SCHEDULE } from "./sync-job.ts";
import { startSyncWorker, type Worker, type WorkerOptions } from "./worker.ts";

// On globalThis, so that a module reloaded in development starts no second worker.
const shared = globalThis as typeof globalThis & { duebookWorker?: Worker };

/**
 * Runs the sync worker in this process until a signal stops it.
 * @param duties further tasks of each round, one after the other
 */
export function runWorker(...duties: NonNullable<WorkerOptions["tend"]>[]): Worker {
  if (shared.duebookWorker) return shared.duebookWorker;
  const { MIRROR_CALLS: calls } = env();
  const databaseUrl = directDatabaseUrl();
  // Its own connections: pages do not wait for them, and a pooler would drop their setting.
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
  // Not once(): a second signal without a listener would end the process before it has closed.
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => void worker.close());
  return (shared.duebookWorker = worker);
}
