import { createBenchOwner } from "../bench/harness/index-owner.ts";
import { generateRows } from "../bench/harness/fixture-rows.ts";
import { seedDemonstration } from "../../service/seed/seed.ts";
import { openPool } from "../../service/db/database.ts";
import { createPool } from "#lib/db/pool.ts";
import { buildDashboard } from "#scripts/build.ts";
import {
  CommandFailure,
  positiveOption,
  readOptions,
  runCommand,
} from "#scripts/process/command.ts";
import { Cluster } from "./failover/cluster.ts";
import { startPrograms } from "./failover/programs.ts";
import { drillRestore } from "./failover/restore-drill.ts";
import { withLogFolder } from "./topology/managed-process.ts";

const HELP = `npm run trial restore -- [--rows N] [--keep]
Three machines of deploy/ha under load: a base backup, a moment some time later, then every machine is
lost, and both databases are restored to that moment by deploy/ha/restore.sh. Fails if a write that was
acknowledged until then is lost or done twice, if one is there that was sent later, or if the programs
do not work on it.
--rows  subscriptions of another seller at the service, and in the desk's search index, before it begins
--keep  leaves the folder with the logs
Needs root on Debian 12 with patroni, etcd-server, haproxy, postgresql and pgbackrest.`;

const { values } = readOptions({
  options: {
    rows: { type: "string" },
    keep: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

async function fill(cluster: Cluster, rows: number) {
  const service = openPool(cluster.url("service_owner"));
  await seedDemonstration(service, {
    subscriptions: rows,
    branches: 2,
    now: new Date(),
    publicUrl: "http://localhost",
    mode: "test",
  });
  await service.end();
  const dashboard = createPool(cluster.url("dashboard_owner"));
  const owner = await createBenchOwner(dashboard, "no key: it is never followed");
  await generateRows(dashboard, owner, [1, rows]);
  await dashboard.end();
  console.log(`${rows} subscriptions at the service, and as many in the search index`);
}

async function tryOn(folder: string) {
  const rows = values.rows === undefined ? 0 : positiveOption("rows", values.rows);
  const cluster = await Cluster.start(folder);
  await using closing = new AsyncDisposableStack();
  closing.defer(() => cluster.close());
  if (rows > 0) await fill(cluster, rows);
  const programs = await startPrograms(cluster, folder);
  closing.defer(() => programs.close());
  const problems = await drillRestore(cluster, programs);
  if (problems.length > 0)
    throw new CommandFailure(
      `${problems.length} problems:\n${problems.slice(0, 20).join("\n")}`,
    );
  console.log("Restored as it had been acknowledged.");
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  await buildDashboard();
  await withLogFolder("restore", values.keep, tryOn);
});
process.exit();
