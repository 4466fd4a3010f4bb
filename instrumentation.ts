/** Runs once, before the server answers. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { prepareDatabase } = await import("#lib/db/start.ts");
  await prepareDatabase();
  const { env } = await import("#lib/env.ts");
  if (env().MIRROR_WORKER === "elsewhere") return;
  const { runWorker } = await import("#lib/mirror/run.ts");
  runWorker();
}
