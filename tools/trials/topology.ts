import { resolve } from "node:path";
import { buildDashboard } from "#scripts/build.ts";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { runServiceAdmin } from "#scripts/process/programs.ts";
import { Cluster } from "./failover/cluster.ts";
import { startPrograms, type Programs } from "./failover/programs.ts";
import { checkTopology } from "./topology/check.ts";
import { withLogFolder } from "./topology/managed-process.ts";
import { startTopology, type Topology } from "./topology/start.ts";

const HELP = `npm run trial topology -- [--check [--from FOLDER] | --ha] [--keep]
The topology of compose.yaml with plain processes on this machine: two dashboards and two services behind
nginx, two workers of each, PostgreSQL with a replica that follows it, and PgBouncer. Needs Linux, nginx
and PgBouncer. Without options it stays until Ctrl-C.
--ha     in its place three machines of deploy/ha (etcd, Patroni, PostgreSQL), HAProxy, a service and a
         dashboard; see npm run trial failover -- --help
--check  works with it while every process is ended, killed and taken away, prints what came of it,
         and fails when a request was lost that need not have been, or anything that was told
--from   begins with the programs and tables of another Duebook, built in a clone (node scripts/build.ts),
         which the first steps update to this one: its migrations, then program after program
--keep   leaves the folder with its logs`;

const { values } = readOptions({
  options: {
    check: { type: "boolean", default: false },
    from: { type: "string" },
    ha: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const DEMO = { DEMO_EMAIL: "demo@duebook.example", DEMO_PASSWORD: "topology of many machines" };

type ProgramUrls = Pick<Programs, "dashboard" | "service">;

/** Adds the demonstration's seller. @returns the environment of its account at the dashboard */
function seedAccount(serviceDatabaseUrl: string): Record<string, string> {
  const seeded = runServiceAdmin(["seed", "--json"], {
    SERVICE_DATABASE_URL: serviceDatabaseUrl,
  });
  const { sellers } = JSON.parse(seeded) as { sellers: { keys: { key: string | null }[] }[] };
  return { ...DEMO, BILLING_SANDBOX_API_KEY: sellers[0]?.keys[0]?.key ?? "" };
}

async function stay(processes: string, { dashboard, service }: ProgramUrls) {
  console.log(`${processes}
  Dashboard  ${dashboard}  ${DEMO.DEMO_EMAIL}  ${DEMO.DEMO_PASSWORD}
  Service    ${service}
  Ctrl-C stops everything.`);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

async function run(topology: Topology) {
  const { byTransaction, versions } = topology.tools;
  if (!values.check) {
    await topology.startService();
    await topology.startDashboards(seedAccount(topology.direct.service));
    const processes = `${topology.processes.length + 2} processes are ready (${versions}).`;
    return stay(processes, { dashboard: topology.dashboardUrl, service: topology.apiUrl });
  }
  console.log(
    `${versions}${byTransaction ? "" : " (by session: transaction pooling needs 1.21 or newer)"}`,
  );
  const problems = await checkTopology(topology);
  if (problems.length > 0)
    throw new CommandFailure(
      `${problems.length} problems:\n${problems.slice(0, 20).join("\n")}`,
    );
  console.log("No write was lost, doubled or invented.");
}

async function stayHighlyAvailable(folder: string) {
  await using closing = new AsyncDisposableStack();
  const cluster = await Cluster.start(folder);
  closing.defer(() => cluster.close());
  const programs = await startPrograms(cluster, folder, seedAccount(cluster.url("service")));
  closing.defer(() => programs.close());
  const addresses = cluster.machines.map(({ name, address }) => `${name} ${address}`);
  await stay(`The cluster is ready: ${addresses.join(", ")}.`, programs);
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  await buildDashboard();
  await withLogFolder("topology", values.keep, async (folder) => {
    if (values.ha) return stayHighlyAvailable(folder);
    const topology = await startTopology(
      folder,
      values.from === undefined ? undefined : resolve(values.from),
    );
    try {
      await run(topology);
    } finally {
      await topology.close();
    }
  });
});
process.exit();
