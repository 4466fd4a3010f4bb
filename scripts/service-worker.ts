import { join } from "node:path";
import { runCommand } from "./process/failure.ts";
import { serviceEnvironment } from "./process/programs.ts";
import { ensureSecrets } from "./process/secrets.ts";
import { openDatabases, readSettings, ROOT } from "./process/settings.ts";
import { runProgram } from "./process/supervise.ts";

/** Another worker of the billing service, beside a running Duebook or with SERVICE_DATABASE_URL. */
await runCommand(async () => {
  const settings = readSettings();
  const databases = await openDatabases(settings.dataDirectory, ["service"]);
  try {
    const { secrets } = await ensureSecrets(settings.dataDirectory, databases);
    const environment = serviceEnvironment(settings, databases, secrets);
    const command = [join(ROOT, "service/worker.ts")];
    process.exitCode = await runProgram({ command, environment });
  } finally {
    await databases.server?.close();
  }
});
