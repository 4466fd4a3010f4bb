import { join } from "node:path";
import { runCommand } from "./process/failure.ts";
import { dashboardProgram } from "./process/programs.ts";
import { ensureSecrets } from "./process/secrets.ts";
import { openDatabases, readSettings, ROOT } from "./process/settings.ts";
import { runProgram } from "./process/supervise.ts";

/** Another worker of the dashboard, beside a running Duebook or with DATABASE_URL. */
await runCommand(async () => {
  const settings = readSettings();
  const databases = await openDatabases(settings.dataDirectory, ["dashboard"]);
  try {
    const { secrets } = await ensureSecrets(settings.dataDirectory, databases);
    const { environment } = dashboardProgram(settings, databases, secrets, null);
    const command = ["--conditions=react-server", join(ROOT, "scripts/worker-process.ts")];
    process.exitCode = await runProgram({ command, environment });
  } finally {
    await databases.server?.close();
  }
});
