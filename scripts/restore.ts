import { join, resolve } from "node:path";
import { loadDatabase } from "./dump.ts";
import { Failure, reasonOf, runCommand } from "./failure.ts";
import { readOptions } from "./options.ts";
import { openDatabases, readSettings, ROOT } from "./settings.ts";

const MIGRATIONS: Record<string, string> = {
  dashboard: join(ROOT, "lib/db/migrations"),
  service: join(ROOT, "service/db/migrations"),
};

const HELP = `npm run restore -- <folder>
Fills both databases from a backup; they must be empty, and Duebook stopped.`;

await runCommand(async () => {
  const { values, positionals } = readOptions({
    allowPositionals: true,
    options: { help: { type: "boolean", default: false } },
  });
  if (values.help) return console.log(HELP);
  const [given] = positionals;
  if (given === undefined) throw new Failure("name the backup: npm run restore -- <folder>");
  const folder = resolve(given);
  const databases = await openDatabases(readSettings().dataDirectory);
  try {
    if (databases.server?.borrowed)
      throw new Failure("Duebook is running here. Stop it first.");
    for (const [name, url] of Object.entries(databases.urls)) {
      await loadDatabase(url, join(folder, name), MIGRATIONS[name] ?? "").catch(
        (error: unknown) => {
          if (error instanceof Failure) throw new Failure(`${name}: ${error.message}`);
          throw new Failure(`the ${name} database could not be restored: ${reasonOf(error)}.`);
        },
      );
      console.log(`Restored the ${name} database.`);
    }
  } finally {
    await databases.server?.close();
  }
});
