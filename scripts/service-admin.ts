import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { runCommand } from "./process/failure.ts";
import { serviceEnvironment } from "./process/programs.ts";
import { ensureSecrets } from "./process/secrets.ts";
import { openDatabases, readSettings, ROOT } from "./process/settings.ts";

/** Runs the service's command line beside a running Duebook, or starts its database meanwhile. */
await runCommand(async () => {
  const settings = readSettings();
  const databases = await openDatabases(settings.dataDirectory, ["service"]);
  try {
    const { secrets } = await ensureSecrets(settings.dataDirectory, databases);
    const ran = spawnSync(
      process.execPath,
      [join(ROOT, "service/admin.ts"), ...process.argv.slice(2)],
      {
        stdio: "inherit",
        env: { ...process.env, TZ: "UTC", ...serviceEnvironment(settings, databases, secrets) },
      },
    );
    process.exitCode = ran.status ?? 1;
  } finally {
    await databases.server?.close();
  }
});
