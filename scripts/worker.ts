import { join } from "node:path";
import { runCommand } from "./process/command.ts";
import { dashboardProgram } from "./process/programs.ts";
import { withInstallation } from "./process/secrets.ts";
import { ROOT } from "./process/settings.ts";
import { runProgram } from "./process/supervise.ts";

/** Runs another worker of the dashboard beside a running Duebook, or with DATABASE_URL. */
await runCommand(() =>
  withInstallation(["dashboard"], async ({ settings, databases, secrets }) => {
    const { environment } = dashboardProgram(settings, databases, secrets, null);
    const command = ["--conditions=react-server", join(ROOT, "scripts/worker-process.ts")];
    process.exitCode = await runProgram({ command, environment });
  }),
);
