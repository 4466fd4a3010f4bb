import { buildDashboard } from "#scripts/build.ts";
import {
  CommandFailure,
  positiveOption,
  readOptions,
  runCommand,
} from "#scripts/process/command.ts";
import { Cluster } from "./failover/cluster.ts";
import { FAILOVER_KINDS, NEEDS_DISK, ONLY_NAMED } from "./failover/kinds.ts";
import type { ClusterClocks } from "./failover/machine.ts";
import { startPrograms } from "./failover/programs.ts";
import { runFailovers } from "./failover/run.ts";
import { withLogFolder } from "./topology/managed-process.ts";

const HELP = `npm run trial failover -- [kinds] [--rounds N] [--ttl S --loop S --retry S] [--keep]
Three machines of deploy/ha (etcd, Patroni, PostgreSQL) in network namespaces, HAProxy and both programs.
Buyers and staff write while the kinds of faults happen, N times each (2); afterwards every acknowledged
write is looked for. Fails if one is lost or done twice, if a former primary accepted one, or if a
refusal is not in words. Without kinds all of these but the last:
${Object.entries(FAILOVER_KINDS)
  .map(([name, { does }]) => `  ${name.padEnd(12)}${does}`)
  .join("\n")}
--ttl, --loop, --retry  other timings than those of deploy/ha/patroni.yml, in seconds; all three
--keep                  leaves the folder with the logs
Needs root on Debian 12 with patroni, etcd-server, haproxy, postgresql and pgbackrest.`;

/** The size of each machine's disk, one of which is filled. On less, the WAL fills a replica too. */
const DISK = "3G";

const { values, positionals } = readOptions({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "2" },
    ttl: { type: "string" },
    loop: { type: "string" },
    retry: { type: "string" },
    keep: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function readClocks(): ClusterClocks | undefined {
  const { ttl, loop, retry } = values;
  if (ttl === undefined && loop === undefined && retry === undefined) return undefined;
  return {
    ttl: positiveOption("ttl", ttl),
    loop_wait: positiveOption("loop", loop),
    retry_timeout: positiveOption("retry", retry),
  };
}

function readKinds(): string[] {
  const unknown = positionals.filter((kind) => !FAILOVER_KINDS[kind]);
  if (unknown.length > 0)
    throw new CommandFailure(
      `no kind of failure is called “${unknown.join("”, “")}”: ${Object.keys(FAILOVER_KINDS).join(", ")}.`,
    );
  if (positionals.length > 0) return positionals;
  return Object.keys(FAILOVER_KINDS).filter((kind) => !ONLY_NAMED.includes(kind));
}

async function tryOn(folder: string) {
  const [kinds, rounds] = [readKinds(), positiveOption("rounds", values.rounds)];
  const disk = kinds.some((kind) => NEEDS_DISK.includes(kind)) ? DISK : undefined;
  const cluster = await Cluster.start(folder, { clocks: readClocks(), disk });
  await using closing = new AsyncDisposableStack();
  closing.defer(() => cluster.close());
  const programs = await startPrograms(cluster, folder);
  closing.defer(() => programs.close());
  const problems = await runFailovers(cluster, programs, { kinds, rounds });
  if (problems.length > 0)
    throw new CommandFailure(
      `${problems.length} problems:\n${problems.slice(0, 20).join("\n")}`,
    );
  console.log("No acknowledged write was lost or done twice.");
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  await buildDashboard();
  await withLogFolder("failover", values.keep, tryOn);
});
process.exit();
