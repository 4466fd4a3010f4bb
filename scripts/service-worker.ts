import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { runCommand } from "./failure.ts";
import { serviceEnvironment } from "./programs.ts";
import { ensureSecrets, openDatabases, readSettings, ROOT } from "./settings.ts";

/** Another worker of the billing service, beside a running Duebook or over SERVICE_DATABASE_URL. */
await runCommand(async () => {
  const settings = readSettings();
  const { secrets } = await ensureSecrets(settings.dataDirectory);
  const databases = await openDatabases(settings.dataDirectory, ["service"]);
  const worker = spawn(process.execPath, [join(ROOT, "service/worker.ts")], {
    stdio: "inherit",
    env: { ...process.env, TZ: "UTC", ...serviceEnvironment(settings, databases, secrets) },
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => worker.kill(signal));
  const [code] = (await once(worker, "exit")) as [number | null];
  process.exitCode = code ?? 1;
  await databases.server?.close();
});
