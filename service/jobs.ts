import { PgBoss } from "pg-boss";
import { KEEP_ALIVE_OPTIONS } from "#contract/process/database.ts";
import { openPool } from "./db/database.ts";

const HOUR = 3_600;

interface Job {
  name: string;
  cron: string;
  /** Seconds after which another process may start the job too. */
  expireIn: number;
  work: () => Promise<unknown>;
}

export type Jobs = Awaited<ReturnType<typeof openJobs>>;

/** Creates or updates pg-boss's tables as their owner, for processes that lack the right. */
export async function prepareJobs(ownerUrl: string): Promise<void> {
  const boss = new PgBoss({ connectionString: ownerUrl, supervise: false, schedule: false });
  boss.on("error", () => {});
  await boss.start();
  await boss.stop();
}

/** Opens pg-boss and its own pool, so that the API never waits for its connections. */
export async function openJobs(
  { databaseUrl, directUrl = databaseUrl }: { databaseUrl: string; directUrl?: string },
  onError: (error: unknown) => void,
) {
  const pool = openPool(databaseUrl);
  const boss = new PgBoss({
    ...KEEP_ALIVE_OPTIONS,
    connectionString: directUrl,
    application_name: "duebook-jobs",
    max: 2,
    useListenNotify: true,
    monitorVacuum: false,
  });
  // Some of pg-boss's errors are plain copies, not instances of Error.
  boss.on("error", (error) =>
    onError(error instanceof Error ? error : Object.assign(new Error(), error)),
  );
  await boss.start();
  return {
    pool,
    /** Runs the work on its schedule, each time in one process only; `run` runs it here at once. */
    repeat: async ({ name, cron, expireIn, work }: Job) => {
      await boss.createQueue(name, {
        policy: "short",
        notify: true,
        expireInSeconds: expireIn,
        retryLimit: 0,
        deleteAfterSeconds: HOUR,
      });
      await boss.schedule(name, cron);
      // An error thrown here would only be stored in the job's row, including its message.
      const run = () => work().catch(onError);
      await boss.work(name, { pollingIntervalSeconds: 5 }, run);
      return { run };
    },
    /** Calls `wake` on each notification, and whenever a notification may have been missed. */
    listen: async (channel: string, wake: () => void) =>
      await boss
        .getDb()
        .listen?.(channel, wake, wake)
        // Without notifications, the sweep each minute wakes the worker.
        .catch(onError),
    /** Starts nothing new, waits for running jobs, and closes the connections. */
    close: async (running: { close: () => Promise<void> }[]) => {
      await Promise.all([
        boss.stop({ timeout: 5_000 }),
        ...running.map((each) => each.close()),
      ]);
      await pool.end();
    },
  };
}

/** Runs `round` again as long as it was woken meanwhile. */
export function repeatWhenWoken(
  round: () => Promise<void>,
  { isClosing, onError }: { isClosing: () => boolean; onError: (error: unknown) => void },
) {
  let isWoken = false;
  let running: Promise<void> | null = null;
  const run = async () => {
    while (isWoken && !isClosing()) {
      isWoken = false;
      await round();
    }
  };
  const wake = () => {
    isWoken = true;
    if (isClosing()) return;
    running ??= run()
      .catch(onError)
      .finally(() => {
        running = null;
        if (isWoken) wake();
      });
  };
  return { wake, running: () => running };
}

interface WokenWorker {
  wake: () => void;
  sweep: () => Promise<unknown>;
  close: () => Promise<void>;
}

/**
 * Runs a worker until it is closed: woken by each notification of a channel, and swept at its
 * start and once a minute among all processes.
 */
export async function runWokenWorker(
  jobs: Jobs,
  worker: WokenWorker,
  { sweep, channel }: { sweep: string; channel: string },
) {
  const { run } = await jobs.repeat({
    name: sweep,
    cron: "* * * * *",
    expireIn: 30,
    work: worker.sweep,
  });
  const listening = await jobs.listen(channel, worker.wake);
  const firstSweep = run();
  return {
    close: async () => {
      await listening?.close();
      // Both at once: a first sweep with much to do ends only as its worker closes.
      await Promise.all([firstSweep, worker.close()]);
    },
  };
}
