import { buildApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { openPool } from "./db/database.ts";
import { migrateService } from "./db/migrate.ts";

process.env.TZ = "UTC";

/** Words for a start that cannot succeed: one line, no stack trace. */
function fail(message: string): never {
  console.error(`billing service: ${message}`);
  process.exit(1);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function main() {
  const config = readConfig();
  await migrateService(config.databaseUrl).catch((error: unknown) =>
    fail(
      `the database of SERVICE_DATABASE_URL cannot be used: ${messageOf(error) || "nothing answers"}`,
    ),
  );
  const pool = openPool(config.databaseUrl);
  const context = { ...config, pool, now: () => new Date() };
  const app = await buildApp(context, { logLevel: config.logLevel });

  let isClosing = false;
  const close = async () => {
    if (isClosing) return;
    isClosing = true;
    await app.close();
    await pool.end();
  };
  process.on("SIGTERM", close);
  process.on("SIGINT", close);

  await app
    .listen({ port: config.port, host: config.host })
    .catch((error: NodeJS.ErrnoException) =>
      fail(
        error.code === "EADDRINUSE"
          ? `port ${config.port} is taken. Set SERVICE_PORT to a free one.`
          : `cannot listen on port ${config.port}: ${messageOf(error)}`,
      ),
    );
}

await main().catch((error: unknown) => fail(messageOf(error)));
