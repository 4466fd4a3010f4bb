import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fillDisk } from "../faults/small-disk.ts";
import { ensureThat, waitFor } from "../faults/wait-until.ts";
import type { Cluster } from "./cluster.ts";
import { withConnection } from "./connection.ts";
import type { Machine } from "./machine.ts";

const FROZEN = 60_000;
const CUT = 40_000;
const QUORUMLESS = 40_000;
/** Milliseconds for which a killed machine stays away after another has taken over. */
const AWAY = 5_000;
const BETWEEN_STARTS = 3_000;
const FULL = 40_000;
const SLOW = 30_000;
const HOUR = 60 * 60_000;
/** Milliseconds for which a slow replica takes nothing, each time after it has taken something. */
const SLOW_PAUSES = { synchronous: 900, other: 3_000 };
const SLOW_READS = 100;
/** Milliseconds that a PostgreSQL may take to stop. */
const STOP = 60_000;

/** Causes a fault and ends it: the cluster must then become whole by itself. */
type CauseFault = (cluster: Cluster) => Promise<void>;

/** Kinds that need a small disk on each machine. */
export const NEEDS_DISK = ["full", "wal"];
/** Kinds that take long, so that they happen only where they are asked for. */
export const ONLY_NAMED = ["nothing"];

export const FAILOVER_KINDS: Record<string, { does: string; cause: CauseFault }> = {
  primary: {
    does: "the machine of the primary killed, started again later",
    cause: killPrimary,
  },
  postgres: { does: "PostgreSQL of the primary killed alone", cause: killPostgres },
  frozen: {
    does: "the machine of the primary frozen for a minute",
    cause: async (cluster) => freeze(cluster, await cluster.leader()),
  },
  replica: {
    does: "the machine of the synchronous replica frozen for a minute",
    cause: async (cluster) => freeze(cluster, await cluster.synchronousReplica()),
  },
  cut: {
    does: "the machine of the primary cut off from the others for 40 s",
    cause: cutPrimary,
  },
  etcd: { does: "etcd without quorum for 40 s", cause: stopQuorum },
  switchover: { does: "a planned switchover", cause: (cluster) => cluster.switchOver() },
  lag: {
    does: "both replicas slow for 30 s, then the machine of the primary killed",
    cause: slowReplicas,
  },
  full: { does: "the disk of the primary full for 40 s", cause: fillPrimary },
  wal: {
    does: "the disk of the primary full until its WAL cannot be written",
    cause: fillUntilItStops,
  },
  update: {
    does: "PostgreSQL of each machine stopped and started in turn, replicas first",
    cause: updatePostgres,
  },
  restart: { does: "all three killed, started in random order", cause: restartAll },
  nothing: { does: "nothing for an hour, and no failover", cause: stayCalm },
};

async function stayCalm(cluster: Cluster) {
  // The first part of a WAL file's name is the timeline: each new primary begins another one.
  const readTimeline = () =>
    withConnection(cluster.url("postgres"), async (client) => {
      const { rows } = await client.query<{ timeline: string }>(
        "select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline",
      );
      return rows[0]?.timeline;
    });
  const before = await readTimeline();
  await delay(HOUR);
  ensureThat((await readTimeline()) === before, "another machine became the primary");
}

async function killPrimary(cluster: Cluster) {
  const former = await cluster.leader();
  await cluster.kill(former);
  await cluster.leader(former);
  await delay(AWAY);
  await cluster.startMachine(former);
}

async function killPostgres(cluster: Cluster) {
  await cluster.signalPostgres(await cluster.leader(), "SIGKILL");
  await delay(AWAY);
}

async function freeze(cluster: Cluster, machine: Machine) {
  cluster.signal(machine, "SIGSTOP");
  await delay(FROZEN);
  cluster.signal(machine, "SIGCONT");
}

async function cutPrimary(cluster: Cluster) {
  const { index } = await cluster.leader();
  cluster.network.cut(index);
  await delay(CUT);
  cluster.network.mend(index);
}

async function stopQuorum(cluster: Cluster) {
  const { index } = await cluster.leader();
  const others = cluster.machines.filter((machine) => machine.index !== index);
  for (const { etcd } of others) await etcd.kill();
  await delay(QUORUMLESS);
  await Promise.all(others.map(({ etcd }) => etcd.start()));
}

async function restartAll(cluster: Cluster) {
  for (const machine of cluster.machines) await cluster.kill(machine);
  const order = cluster.machines
    .map((machine) => ({ machine, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at);
  await Promise.all(
    order.map(async ({ machine }, place) => {
      await delay(place * BETWEEN_STARTS);
      await cluster.startMachine(machine);
    }),
  );
}

async function slowReplicas(cluster: Cluster) {
  const [primary, synchronous] = [await cluster.leader(), await cluster.synchronousReplica()];
  const until = performance.now() + SLOW;
  const slow = async (machine: Machine, pause: number) => {
    while (performance.now() < until) {
      await cluster.signalPostgres(machine, "SIGSTOP", /walreceiver/);
      await delay(pause);
      await cluster.signalPostgres(machine, "SIGCONT", /walreceiver/);
      await delay(SLOW_READS);
    }
  };
  const replicas = cluster.machines.filter((machine) => machine !== primary);
  await Promise.all(
    replicas.map((machine) =>
      slow(machine, SLOW_PAUSES[machine === synchronous ? "synchronous" : "other"]),
    ),
  );
  await killPrimary(cluster);
}

/** Runs while the machine's disk has no space. */
async function whileFull({ data }: Machine, run: () => Promise<unknown>) {
  const filler = join(data.disk, "filler");
  await fillDisk(filler);
  try {
    await run();
  } finally {
    await rm(filler);
  }
}

async function fillPrimary(cluster: Cluster) {
  await whileFull(await cluster.leader(), () => delay(FULL));
}

/** Uses up the spare WAL segments of PostgreSQL, which stops when there is no space for a new one. */
async function fillUntilItStops(cluster: Cluster) {
  const primary = await cluster.leader();
  await whileFull(primary, async () => {
    await waitFor(
      "another primary",
      async () => {
        await withConnection(cluster.directUrl("postgres", primary), (client) =>
          client.query("select pg_create_restore_point('full'), pg_switch_wal()"),
        ).catch(() => {});
        return (await cluster.leader()) !== primary;
      },
      180,
    );
    await delay(AWAY);
  });
}

async function updatePostgres(cluster: Cluster) {
  const primary = await cluster.leader();
  const restart = async ({ patroni }: Machine) => {
    await patroni.end(STOP);
    await patroni.start();
    await cluster.waitUntilWhole();
  };
  for (const machine of cluster.machines) if (machine !== primary) await restart(machine);
  // Patroni hands over before it ends.
  await restart(primary);
}
