import { join, resolve } from "node:path";
import { loadDatabase } from "./database/dump.ts";
import { CommandFailure, readOptions, systemReasonOf, runCommand } from "./process/command.ts";
import { MIGRATIONS, openDatabases, readSettings } from "./process/settings.ts";

class Told extends CommandFailure {}

const HELP = `npm run restore -- <folder>
Fills both databases from a backup; they must be empty, and Duebook stopped.`;

function inWords(name: string, error: unknown, filled: readonly string[]): CommandFailure {
  if (error instanceof Told) return error;
  const left = filled.map(
    (other) => ` The ${other} database is filled: empty it before you restore again.`,
  );
  const reason =
    error instanceof CommandFailure
      ? `${name}: ${error.message}`
      : `the ${name} database could not be restored: ${systemReasonOf(error)}.`;
  return new Told(reason + left.join(""));
}

await runCommand(async () => {
  const { values, positionals } = readOptions({
    allowPositionals: true,
    options: { help: { type: "boolean", default: false } },
  });
  if (values.help) return console.log(HELP);
  const [given] = positionals;
  if (given === undefined)
    throw new CommandFailure("name the backup: npm run restore -- <folder>");
  const folder = resolve(given);
  const databases = await openDatabases(readSettings().dataDirectory);
  try {
    if (databases.server?.borrowed)
      throw new CommandFailure("Duebook is running here. Stop it first.");
    const filled: string[] = [];
    const load = (name: "dashboard" | "service", beforeKeeping?: () => Promise<unknown>) =>
      loadDatabase(
        databases.urls[name],
        join(folder, name),
        MIGRATIONS[name],
        beforeKeeping,
      ).then(
        () => filled.push(name),
        (error: unknown) => {
          throw inWords(name, error, filled);
        },
      );
    // Restores both databases or neither: if only one were filled, the next attempt would be
    // refused.
    await load("dashboard", () => load("service"));
    console.log("Restored the databases of the dashboard and the billing service.");
  } finally {
    await databases.server?.close();
  }
});
