import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { runCommand } from "./failure.ts";
import { dashboardProgram } from "./programs.ts";
import { ensureSecrets, openDatabases, readSettings, ROOT } from "./settings.ts";

/** Another keeper of the copies, beside a running Duebook or over DATABASE_URL. */
await runCommand(async () => {
  const settings = readSettings();
  const { secrets } = await ensureSecrets(settings.dataDirectory);
  const databases = await openDatabases(settings.dataDirectory, ["dashboard"]);
  const { environment } = dashboardProgram(settings, databases, secrets, null);
  const worker = spawn(
    process.execPath,
    ["--conditions=react-server", join(ROOT, "scripts/worker-process.ts")],
    { stdio: "inherit", env: { ...process.env, TZ: "UTC", ...environment } },
  );
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => worker.kill(signal));
  const [code] = (await once(worker, "exit")) as [number | null];
  process.exitCode = code ?? 1;
  await databases.server?.close();
});
