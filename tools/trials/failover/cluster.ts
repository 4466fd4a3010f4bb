import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { freePorts } from "../../../e2e/support/command.ts";
import { CommandFailure } from "#scripts/process/command.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { signalProcesses } from "../../programs.ts";
import { ensureThat, waitFor, waitUntil } from "../faults/wait-until.ts";
import type { ManagedProcess } from "../topology/managed-process.ts";
import { migrateAsOwner } from "../topology/start.ts";
import {
  planMachine,
  planProxy,
  type ClusterPlan,
  type ClusterPorts,
  type Machine,
} from "./machine.ts";
import { withConnection } from "./connection.ts";
import { MachineNetwork } from "./network.ts";

const MACHINES = 3;
const HA = join(ROOT, "deploy/ha");
const BINARIES = "/usr/lib/postgresql/15/bin";
/** Seconds in which the cluster must be whole after a fault is over. */
const LONGEST_REPAIR = 180;

interface Member {
  name: string;
  role: string;
  state: string;
}

type Role = "dashboard" | "dashboard_owner" | "service" | "service_owner" | "postgres";

/** Three machines of deploy/ha with the tables of both programs, and HAProxy in front of them. */
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

  static async start(
    folder: string,
    options: Pick<ClusterPlan, "clocks" | "disk"> = {},
  ): Promise<Cluster> {
    requirePrograms();
    const network = MachineNetwork.open(MACHINES);
    const passwords = newPasswords();
    const machines = await Promise.all(
      network.addresses.map((_, index) =>
        planMachine({ folder, network, passwords, ...options }, index),
      ),
    );
    const [primary = 0, replica = 0, status = 0] = await freePorts(3);
    const ports = { primary, replica, status };
    const proxy = await planProxy(folder, network.addresses, ports);
    const cluster = new Cluster(machines, network, passwords, { proxy, ports });
    try {
      await Promise.all(machines.map(({ etcd }) => etcd.start()));
      for (const { patroni } of machines) await patroni.start();
      await proxy.start();
      await cluster.waitUntilWhole();
      await cluster.backUp();
      await migrateAsOwner({
        DATABASE_OWNER_URL: cluster.url("dashboard_owner"),
        DATABASE_ROLE: "dashboard",
        SERVICE_DATABASE_OWNER_URL: cluster.url("service_owner"),
        SERVICE_DATABASE_ROLE: "service",
      });
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

  /** The URL of one machine, past HAProxy. */
  directUrl(role: Role, { address }: Machine): string {
    return this.#urlAt(role, `${address}:5432`);
  }

  #urlAt(role: Role, host: string) {
    const password = this.#passwords[`${role.toUpperCase()}_PASSWORD`] ?? "";
    return `postgresql://${role}:${password}@${host}/${role.replace("_owner", "")}`;
  }

  /**
   * The members as two machines see them, because a machine that is cut off still sees the former state.
   */
  async #members(): Promise<Member[]> {
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

  async #machineWith(wanted: string): Promise<Machine | undefined> {
    const name = (await this.#members()).find(({ role }) => role === wanted)?.name;
    return this.machines.find((machine) => machine.name === name);
  }

  /** Waits until there is a leader. @param former the machine that it must not be */
  leader(former?: Machine): Promise<Machine> {
    return waitFor(`a leader${former ? ` other than ${former.name}` : ""}`, async () => {
      const leader = await this.#machineWith("leader");
      return leader !== former && leader;
    });
  }

  /** The replica that commits wait for. */
  async synchronousReplica(): Promise<Machine> {
    const found = await this.#machineWith("sync_standby");
    ensureThat(found !== undefined, "there is no synchronous replica");
    return found;
  }

  /** Waits until there is a leader, and both others follow it, one of them synchronously. */
  async waitUntilWhole(): Promise<string> {
    return waitUntil(
      "a whole cluster",
      async () => {
        const members = await this.#members();
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

  /** Makes a base backup as the timer of deploy/ha does, and begins the archive of the WAL. */
  async backUp(): Promise<void> {
    const { run } = await this.leader();
    await run(join(HA, "backup.sh"));
  }

  /** Waits until the archive has everything that is committed. */
  async waitUntilArchived(): Promise<void> {
    await withConnection(this.url("postgres"), async (client) => {
      const { rows } = await client.query<{ last: string }>(
        "select pg_walfile_name(pg_switch_wal()) as last",
      );
      await waitFor("the archive of the WAL", async () => {
        const archived = await client.query(
          "select 1 from pg_stat_archiver where last_archived_wal >= $1",
          [rows[0]?.last],
        );
        return archived.rowCount === 1;
      });
    });
  }

  /** Loses all machines with their data, and restores both databases by the steps of docs/deploy.md. */
  async loseAndRestore(moment: Date, machine: Machine): Promise<{ filled: number }> {
    for (const lost of this.machines) {
      await this.kill(lost);
      for (const path of [lost.data.etcd, lost.data.postgres])
        await rm(path, { recursive: true, force: true });
    }
    await Promise.all(this.machines.map(({ etcd }) => etcd.start()));
    const begun = performance.now();
    await machine.run(
      join(HA, "restore.sh"),
      moment.toISOString().replace("T", " ").replace("Z", "+00"),
    );
    const filled = (performance.now() - begun) / 1_000;
    await machine.patroni.start();
    await waitFor(
      "the restored machine as the leader",
      async () => (await fetch(`http://${machine.address}:8008/primary`)).ok,
    );
    for (const { patroni } of this.machines)
      if (patroni !== machine.patroni) await patroni.start();
    return { filled };
  }

  /** Kills everything on the machine, as a loss of power does. */
  async kill(machine: Machine): Promise<void> {
    this.signal(machine, "SIGKILL");
    await Promise.all([machine.patroni.kill(), machine.etcd.kill()]);
    this.signal(machine, "SIGKILL");
  }

  /** Signals processes of PostgreSQL only: those whose command matches `words`, by default all. */
  async signalPostgres(
    { index }: Machine,
    signal: NodeJS.Signals,
    words = /^postgres|\/bin\/postgres/,
  ): Promise<void> {
    for (const pid of this.network.processesOn(index)) {
      const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      if (words.test(command)) signalProcesses([pid], signal);
    }
  }

  async startMachine({ etcd, patroni }: Machine): Promise<void> {
    await Promise.all([etcd.start(), patroni.start()]);
  }

  /** Sends the signal to every process on the machine. */
  signal({ index }: Machine, signal: NodeJS.Signals): void {
    signalProcesses(this.network.processesOn(index), signal);
  }

  async close(): Promise<void> {
    await this.#proxy.end();
    for (const machine of this.machines) this.signal(machine, "SIGCONT");
    await Promise.all(this.machines.map(({ patroni }) => patroni.end(20_000)));
    for (const machine of this.machines) await this.kill(machine);
    for (const { data } of this.machines) spawnSync("umount", ["--lazy", "--quiet", data.disk]);
    this.network.close();
  }
}

function requirePrograms() {
  const lacking = [
    "/usr/bin/etcd",
    "/usr/bin/patroni",
    "/usr/sbin/haproxy",
    "/usr/bin/pgbackrest",
    `${BINARIES}/postgres`,
  ];
  if (process.getuid?.() !== 0 || lacking.some((path) => !existsSync(path)))
    throw new CommandFailure(
      "this needs root on Debian 12, and apt-get install patroni etcd-server haproxy postgresql pgbackrest.",
    );
}

/** The variables of deploy/postgres-init.sh and of Patroni. */
function newPasswords(): Record<string, string> {
  const secret = () => randomBytes(16).toString("hex");
  const [postgres, replica] = [secret(), secret()];
  return {
    DASHBOARD_PASSWORD: secret(),
    DASHBOARD_OWNER_PASSWORD: secret(),
    SERVICE_PASSWORD: secret(),
    SERVICE_OWNER_PASSWORD: secret(),
    REPLICA_PASSWORD: replica,
    POSTGRES_PASSWORD: postgres,
    PATRONI_SUPERUSER_USERNAME: "postgres",
    PATRONI_SUPERUSER_PASSWORD: postgres,
    PATRONI_REPLICATION_USERNAME: "replica",
    PATRONI_REPLICATION_PASSWORD: replica,
    PATRONI_RESTAPI_USERNAME: "patroni",
    PATRONI_RESTAPI_PASSWORD: secret(),
  };
}
