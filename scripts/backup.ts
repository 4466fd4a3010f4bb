import { join, resolve } from "node:path";
import { dumpDatabase } from "./database/dump.ts";
import { CommandFailure, readOptions, systemReasonOf, runCommand } from "./process/command.ts";
import { openDatabases, readSettings } from "./process/settings.ts";

const HELP = `npm run backup -- [folder]
Saves both databases, also while Duebook runs, in backups/<time> if no folder is named.`;

await runCommand(async () => {
  const { values, positionals } = readOptions({
    allowPositionals: true,
    options: { help: { type: "boolean", default: false } },
  });
  if (values.help) return console.log(HELP);
  const { dataDirectory } = readSettings();
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const folder = resolve(positionals[0] ?? join("backups", stamp));
  const databases = await openDatabases(dataDirectory);
  try {
    for (const [name, url] of Object.entries(databases.urls)) {
      const { tables } = await dumpDatabase(url, join(folder, name)).catch((error: unknown) => {
        throw new CommandFailure(
          `the ${name} database could not be saved: ${systemReasonOf(error)}.`,
        );
      });
      console.log(`Saved ${tables.length} tables of the ${name} database.`);
    }
    console.log(
      `${folder}\nAlso keep ${join(dataDirectory, "secrets.json")}, in another place: stored API keys need it.`,
    );
  } finally {
    await databases.server?.close();
  }
});
