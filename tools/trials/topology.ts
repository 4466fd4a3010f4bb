import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildDashboard } from "#scripts/build.ts";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { runServiceAdmin } from "#scripts/process/programs.ts";
import { checkTopology } from "./topology/check.ts";
import { startTopology, type Topology } from "./topology/start.ts";

const HELP = `npm run trial topology -- [--check] [--keep]
The topology of compose.yaml with plain processes on this machine: two dashboards and two services behind
nginx, two workers of each, PostgreSQL with a replica that follows it, and PgBouncer. Needs Linux, nginx
and PgBouncer. Without options it stays until Ctrl-C.
--check  works with it while every process is ended, killed and taken away, prints what came of it,
         and fails when a request was lost that need not have been, or anything that was told
--keep   leaves the folder with its logs`;

const { values } = readOptions({
  options: {
    check: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const DEMO = { DEMO_EMAIL: "demo@duebook.example", DEMO_PASSWORD: "topology of many machines" };

async function stay(topology: Topology) {
  await topology.startService();
  const seeded = runServiceAdmin(["seed", "--json"], {
    SERVICE_DATABASE_URL: topology.direct.service,
  });
  const { sellers } = JSON.parse(seeded) as { sellers: { keys: { key: string | null }[] }[] };
  const key = sellers[0]?.keys[0]?.key ?? "";
  await topology.startDashboards({ ...DEMO, BILLING_SANDBOX_API_KEY: key });
  console.log(`${topology.processes.length + 2} processes are ready (${topology.tools.versions}).
  Dashboard  ${topology.dashboardUrl}  ${DEMO.DEMO_EMAIL}  ${DEMO.DEMO_PASSWORD}
  Service    ${topology.apiUrl}
  Ctrl-C stops everything.`);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  await buildDashboard();
  const folder = await mkdtemp(join(tmpdir(), "duebook-topology-"));
  await chmod(folder, 0o755);
  const topology = await startTopology(folder);
  try {
    if (!values.check) return await stay(topology);
    const { byTransaction, versions } = topology.tools;
    console.log(
      `${versions}${byTransaction ? "" : " (by session: transaction pooling needs 1.21 or newer)"}`,
    );
    const problems = await checkTopology(topology);
    if (problems.length > 0)
      throw new CommandFailure(
        `${problems.length} wrong:\n${problems.slice(0, 20).join("\n")}`,
      );
    console.log("No write was lost, doubled or invented.");
  } finally {
    await topology.close();
    if (values.keep) console.log(`Logs: ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
});
process.exit();
