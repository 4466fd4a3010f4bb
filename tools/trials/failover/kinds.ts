import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import type { Machine } from "./machine.ts";

const FROZEN = 60_000;
const CUT = 40_000;
const QUORUMLESS = 40_000;
/** Milliseconds for which a killed machine stays away after another has taken over. */
const AWAY = 5_000;
const BETWEEN_STARTS = 3_000;

/** Causes a fault and ends it: the cluster must then become whole by itself. */
type CauseFault = (cluster: Cluster) => Promise<void>;

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
  restart: { does: "all three killed, started in random order", cause: restartAll },
};

async function killPrimary(cluster: Cluster) {
  const former = await cluster.leader();
  await cluster.kill(former);
  await cluster.leader(former);
  await delay(AWAY);
  await cluster.startMachine(former);
}

async function killPostgres(cluster: Cluster) {
  await cluster.killPostgres(await cluster.leader());
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
