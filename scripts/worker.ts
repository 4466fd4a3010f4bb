import { join } from "node:path";
import { runCommand } from "./failure.ts";
import { dashboardProgram } from "./programs.ts";
import { ensureSecrets } from "./secrets.ts";
import { openDatabases, readSettings, ROOT } from "./settings.ts";
import { runProgram } from "./supervise.ts";

/** Another keeper of the copies, beside a running Duebook or over DATABASE_URL. */
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
