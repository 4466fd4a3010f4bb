import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { runCommand } from "./process/command.ts";
import { serviceEnvironment } from "./process/programs.ts";
import { withInstallation } from "./process/secrets.ts";
import { ROOT } from "./process/settings.ts";

/**
 * Runs the service's command line beside a running Duebook, or starts its database for that time.
 */
await runCommand(() =>
  withInstallation(["service"], async ({ settings, databases, secrets }) => {
    const { status } = spawnSync(
      process.execPath,
      [join(ROOT, "service/admin.ts"), ...process.argv.slice(2)],
      {
        stdio: "inherit",
        env: { ...process.env, TZ: "UTC", ...serviceEnvironment(settings, databases, secrets) },
      },
    );
    process.exitCode = status ?? 1;
  }),
);
