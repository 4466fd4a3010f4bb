import type { Instrumentation } from "next";

/** Runs once, before the server answers. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { prepareDatabase } = await import("#lib/prepare-database.ts");
  await prepareDatabase();
  const { env } = await import("#lib/env.ts");
  if (env().DASHBOARD_METRICS_PORT !== undefined) {
    // Gives the listening process what only this bundle has.
    const { database } = await import("#lib/db/pool.ts");
    const { countStreams } = await import("#lib/live/open-live.ts");
    const { readIndexAges } = await import("#lib/search-index/query/index-status.ts");
    const { setGauges } = await import("#lib/trace.ts");
    setGauges({
      pool: database,
      streams: countStreams,
      indexAges: () => readIndexAges(database()),
    });
  }
  const { observeCalls } = await import("#lib/billing/observe.ts");
  const { writeThrough } = await import("#lib/search-index/sync/write-through.ts");
  observeCalls(writeThrough);
  if (env().MIRROR_WORKER === "elsewhere") return;
  const { startWorker } = await import("#scripts/process/start-worker.ts");
  startWorker();
}

/** Next prints the error itself; this line says where it was, by the reference on the page. */
export const onRequestError: Instrumentation.onRequestError = async (
  error,
  _request,
  context,
) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { isDatabaseAway, logOutage } = await import("#lib/log.ts");
  if (isDatabaseAway(error)) {
    const { noteDatabaseAway } = await import("#lib/trace.ts");
    noteDatabaseAway();
    return logOutage(error);
  }
  const { logLine } = await import("#lib/log.ts");
  const { routeType: kind, routePath: route } = context;
  const reference =
    error instanceof Error && "digest" in error ? String(error.digest) : undefined;
  logLine("a page, route or action failed", { kind, route, reference });
};
