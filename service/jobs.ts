import { PgBoss } from "pg-boss";
import { LOOKED_AFTER } from "#contract/process/database-connections.ts";
import { openPool } from "./db/database.ts";

const HOUR = 3_600;

interface Job {
  name: string;
  cron: string;
  /** Seconds after which another process may begin it too. */
  expireIn: number;
  work: () => Promise<unknown>;
}

export type Jobs = Awaited<ReturnType<typeof openJobs>>;

/** Makes or changes its tables as their owner, for processes that may not. */
export async function prepareJobs(ownerUrl: string): Promise<void> {
  const boss = new PgBoss({ connectionString: ownerUrl, supervise: false, schedule: false });
  // What fails is thrown by the start itself.
  boss.on("error", () => {});
  await boss.start();
  await boss.stop();
}

/**
 * pg-boss, opened once a process, and the connections of what works in the background: the API waits
 * for none of them.
 */
export async function openJobs(
  { databaseUrl, directUrl = databaseUrl }: { databaseUrl: string; directUrl?: string },
  onError: (error: unknown) => void,
) {
  const pool = openPool(databaseUrl);
  const boss = new PgBoss({
    ...LOOKED_AFTER,
    connectionString: directUrl,
    application_name: "duebook-jobs",
    max: 2,
    useListenNotify: true,
    monitorVacuum: false,
  });
  // Some of its errors are copies that are none any more.
  boss.on("error", (error) =>
    onError(error instanceof Error ? error : Object.assign(new Error(), error)),
  );
  await boss.start();
  return {
    pool,
    /** Runs it by the clock, each time in one of the processes that repeat it. */
    repeat: async ({ name, cron, expireIn, work }: Job) => {
      await boss.createQueue(name, {
        policy: "short",
        notify: true,
        expireInSeconds: expireIn,
        retryLimit: 0,
        deleteAfterSeconds: HOUR,
      });
      await boss.schedule(name, cron);
      // What it throws would go into the job's row, words and all, and nowhere else.
      await boss.work(name, { pollingIntervalSeconds: 5 }, () => work().catch(onError));
    },
    /** Calls it at each notification, and whenever some may have been missed. */
    listen: async (channel: string, wake: () => void) =>
      await boss
        .getDb()
        .listen?.(channel, wake, wake)
        // Without it the minute's sweep is what wakes.
        .catch(onError),
    /** Begins nothing more, waits for what runs, and then ends the connections. */
    close: async (running: { close: () => Promise<void> }[]) => {
      await Promise.all([
        boss.stop({ timeout: 5_000 }),
        ...running.map((each) => each.close()),
      ]);
      await pool.end();
    },
  };
}
