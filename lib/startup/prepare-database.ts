import "server-only";
import { directDatabaseUrl, env } from "#lib/env.ts";
import { clearTextOf } from "#lib/exposure.ts";
import { logLine } from "#lib/log.ts";
import { ensureDemo } from "./demo-account.ts";
import { migrateDashboard } from "#lib/db/migrate.ts";

/** Before the first request: configuration, schema, demonstration. Ends the process if one fails. */
export async function prepareDatabase(): Promise<void> {
  try {
    const settings = env();
    const clearText = clearTextOf(settings);
    if (clearText) logLine(clearText, {}, "warn");
    await migrateDashboard(directDatabaseUrl(settings), (client) =>
      ensureDemo(client, settings),
    );
  } catch (error) {
    logLine(describe(error), {}, "fatal");
    process.exit(1);
  }
}

function describe(error: unknown): string {
  if (error instanceof Error && error.name === "ConfigurationError") return error.message;
  // A refused connection arrives as an AggregateError whose message is empty.
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : String(error);
  return `The database in DATABASE_URL cannot be used: ${message || code || "no reason given"}.`;
}
