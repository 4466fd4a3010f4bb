import { runCommand, CommandFailure } from "./process/command.ts";
import { serviceEnvironment, serviceHost, serviceProgram } from "./process/programs.ts";
import { ensureSecrets } from "./process/secrets.ts";
import { openDatabases, readSettings, requireFreePort } from "./process/settings.ts";
import { Supervisor } from "./process/supervise.ts";

/** Runs the billing service alone, with the embedded database or that of SERVICE_DATABASE_URL. */
await runCommand(async () => {
  const settings = readSettings();
  await requireFreePort("SERVICE_PORT", settings.servicePort, serviceHost());
  const databases = await openDatabases(settings.dataDirectory, ["service"]);
  if (databases.server?.borrowed)
    throw new CommandFailure(`another Duebook is running on ${settings.dataDirectory}.`);
  const supervisor = new Supervisor();
  try {
    const { secrets, note } = await ensureSecrets(settings.dataDirectory, databases);
    const environment = serviceEnvironment(settings, databases, secrets);
    await supervisor.start(serviceProgram(settings, environment));
    console.log(
      `The billing service is ready at http://localhost:${settings.servicePort}. ${note}`,
    );
    process.exitCode = await supervisor.wait(databases.server);
  } finally {
    await supervisor.stop();
    await databases.server?.close();
  }
});
