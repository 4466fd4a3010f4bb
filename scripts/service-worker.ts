import { join } from "node:path";
import { runCommand } from "./process/command.ts";
import { serviceEnvironment } from "./process/programs.ts";
import { withInstallation } from "./process/secrets.ts";
import { ROOT } from "./process/settings.ts";
import { runProgram } from "./process/supervise.ts";

/** Runs another worker of the billing service beside a running Duebook, or with SERVICE_DATABASE_URL. */
await runCommand(() =>
  withInstallation(["service"], async ({ settings, databases, secrets }) => {
    const environment = serviceEnvironment(settings, databases, secrets);
    const command = [join(ROOT, "service/worker.ts")];
    process.exitCode = await runProgram({ command, environment });
  }),
);
