import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { freePorts } from "../../../e2e/support/command.ts";
import { CommandFailure } from "#scripts/process/command.ts";
import { ensureThat, waitUntil } from "../faults/wait-until.ts";
import type { ManagedProcess } from "../topology/managed-process.ts";
import {
  planMachine,
  planProxy,
  type ClusterClocks,
  type Machine,
  type ClusterPorts,
} from "./machine.ts";
import { withConnection } from "./connection.ts";
import { MachineNetwork } from "./network.ts";

const MACHINES = 3;
const BINARIES = "/usr/lib/postgresql/15/bin";
/** Seconds in which the cluster must be whole after a fault is over. */
const LONGEST_REPAIR = 180;

interface Member {
  name: string;
  role: string;
  state: string;
}

type Role = "dashboard" | "dashboard_owner" | "service" | "service_owner" | "postgres";

/** Three machines of deploy/ha, and HAProxy before them as on a machine that runs the programs. */
export class Cluster {
  readonly machines: Machine[];
  readonly network: MachineNetwork;
  readonly #passwords: Record<string, string>;
  readonly #proxy: ManagedProcess;
  readonly #ports: ClusterPorts;

  private constructor(
    machines: Machine[],
    network: MachineNetwork,
    passwords: Record<string, string>,
    { proxy, ports }: { proxy: ManagedProcess; ports: ClusterPorts },
  ) {
    [this.machines, this.network, this.#passwords] = [machines, network, passwords];
    [this.#proxy, this.#ports] = [proxy, ports];
  }

  static async start(folder: string, clocks?: ClusterClocks): Promise<Cluster> {
    requirePrograms();
    const network = MachineNetwork.open(MACHINES);
    const passwords = newPasswords();
    const machines = await Promise.all(
      network.addresses.map((_, index) =>
        planMachine({ folder, network, passwords, clocks }, index),
      ),
    );
    const [primary = 0, replica = 0] = await freePorts(2);
    const ports = { primary, replica };
    const proxy = await planProxy(folder, network.addresses, ports);
    const cluster = new Cluster(machines, network, passwords, { proxy, ports });
    try {
      await Promise.all(machines.map(({ etcd }) => etcd.start()));
      for (const { patroni } of machines) await patroni.start();
      await proxy.start();
      await cluster.waitUntilWhole();
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return cluster;
  }

  /** The URL of the primary, or of the replica that commits wait for, through HAProxy. */
  url(role: Role, which: "primary" | "replica" = "primary"): string {
    return this.#urlAt(role, `127.0.0.1:${this.#ports[which]}`);
  }

  /** The settings of scripts/migrate.ts. */
  ownerSettings() {
    return {
      DATABASE_OWNER_URL: this.url("dashboard_owner"),
      DATABASE_ROLE: "dashboard",
      SERVICE_DATABASE_OWNER_URL: this.url("service_owner"),
      SERVICE_DATABASE_ROLE: "service",
    };
  }

  /** The URL of one machine, past HAProxy. */
  directUrl(role: Role, { address }: Machine): string {
    return this.#urlAt(role, `${address}:5432`);
  }

  #urlAt(role: Role, host: string) {
    const password = this.#passwords[`${role}_password`] ?? "";
    return `postgresql://${role}:${password}@${host}/${role.replace("_owner", "")}`;
  }

  /** The members as two machines see them: one that is cut off still sees what was. */
  async members(): Promise<Member[]> {
    const answers = await Promise.all(
      this.machines.map(async ({ address }) => {
        const signal = AbortSignal.timeout(1_500);
        return fetch(`http://${address}:8008/cluster`, { signal })
          .then(async (answer) => ((await answer.json()) as { members: Member[] }).members)
          .catch(() => []);
      }),
    );
    const views = Map.groupBy(
      answers.filter((members) => members.length > 0),
      (members) => members.find(({ role }) => role === "leader")?.name,
    );
    return [...views.values()].find((agreeing) => agreeing.length > 1)?.at(-1) ?? [];
  }

  async leader(): Promise<Machine> {
    let leader: Machine | undefined;
    await waitUntil("a leader", async () => {
      const name = (await this.members()).find(({ role }) => role === "leader")?.name;
      leader = this.machines.find((machine) => machine.name === name);
      return leader !== undefined;
    });
    if (!leader) throw new CommandFailure("there is no leader");
    return leader;
  }

  /** The replica that commits wait for. */
  async synchronousReplica(): Promise<Machine> {
    const name = (await this.members()).find(({ role }) => role === "sync_standby")?.name;
    const found = this.machines.find((machine) => machine.name === name);
    if (!found) throw new CommandFailure("there is no synchronous replica");
    return found;
  }

  /** Waits until there is a leader, and both others follow it, one of them synchronously. */
  async waitUntilWhole(): Promise<string> {
    return waitUntil(
      "a whole cluster",
      async () => {
        const members = await this.members();
        const isRunning = members.every(({ state }) => state === "running");
        return members.length === MACHINES && isRunning && (await this.#isFollowed());
      },
      LONGEST_REPAIR,
    );
  }

  async #isFollowed(): Promise<boolean> {
    const { rows } = await withConnection(this.url("postgres"), (client) =>
      client.query<{ sync_state: string }>(
        `select sync_state from pg_stat_replication
          where state = 'streaming' and application_name like 'machine-%'`,
      ),
    );
    const states = rows.map(({ sync_state }) => sync_state);
    return states.length === MACHINES - 1 && states.includes("sync");
  }

  async switchOver(): Promise<void> {
    const [leader, candidate] = await Promise.all([this.leader(), this.synchronousReplica()]);
    const answer = await fetch(`http://${leader.address}:8008/switchover`, {
      method: "POST",
      headers: { authorization: this.#patroniAuthorization() },
      body: JSON.stringify({ leader: leader.name, candidate: candidate.name }),
    });
    ensureThat(answer.ok, `the switchover was refused: ${await answer.text()}`);
  }

  #patroniAuthorization() {
    const { PATRONI_RESTAPI_USERNAME: name, PATRONI_RESTAPI_PASSWORD: password } =
      this.#passwords;
    return `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
  }

  /** Kills everything on the machine, as a loss of power does. */
  async kill({ index, etcd, patroni }: Machine): Promise<void> {
    this.signal({ index }, "SIGKILL");
    await Promise.all([patroni.kill(), etcd.kill()]);
    this.signal({ index }, "SIGKILL");
  }

  /** Kills PostgreSQL alone. */
  async killPostgres({ index }: Pick<Machine, "index">): Promise<void> {
    for (const pid of this.network.processesOn(index)) {
      const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      if (command.startsWith("postgres") || command.includes("/bin/postgres"))
        signalProcess(pid, "SIGKILL");
    }
  }

  async startMachine({ etcd, patroni }: Machine): Promise<void> {
    await Promise.all([etcd.start(), patroni.start()]);
  }

  /** Sends the signal to every process on the machine. */
  signal({ index }: Pick<Machine, "index">, signal: NodeJS.Signals): void {
    for (const pid of this.network.processesOn(index)) signalProcess(pid, signal);
  }

  async close(): Promise<void> {
    await this.#proxy.end();
    for (const machine of this.machines) this.signal(machine, "SIGCONT");
    await Promise.all(this.machines.map(({ patroni }) => patroni.end(20_000)));
    for (const machine of this.machines) await this.kill(machine);
    this.network.close();
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

function requirePrograms() {
  const lacking = [
    "/usr/bin/etcd",
    "/usr/bin/patroni",
    "/usr/sbin/haproxy",
    `${BINARIES}/postgres`,
  ];
  if (process.getuid?.() !== 0 || lacking.some((path) => !existsSync(path)))
    throw new CommandFailure(
      "this needs root on Debian 12, and apt-get install patroni etcd-server haproxy postgresql.",
    );
}

function newPasswords(): Record<string, string> {
  const secret = () => randomBytes(16).toString("hex");
  const [postgres, replica] = [secret(), secret()];
  return {
    dashboard_password: secret(),
    dashboard_owner_password: secret(),
    service_password: secret(),
    service_owner_password: secret(),
    replica_password: replica,
    postgres_password: postgres,
    PATRONI_SUPERUSER_USERNAME: "postgres",
    PATRONI_SUPERUSER_PASSWORD: postgres,
    PATRONI_REPLICATION_USERNAME: "replica",
    PATRONI_REPLICATION_PASSWORD: replica,
    PATRONI_RESTAPI_USERNAME: "patroni",
    PATRONI_RESTAPI_PASSWORD: secret(),
  };
}
