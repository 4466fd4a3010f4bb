import { execFile } from "node:child_process";
import { chmod, chown, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { unprivilegedUser } from "#scripts/database/postgres-home.ts";
import { CommandFailure } from "#scripts/process/command.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { mountDisk } from "../faults/small-disk.ts";
import { ManagedProcess } from "../topology/managed-process.ts";
import type { MachineNetwork } from "./network.ts";

export interface Machine {
  index: number;
  name: string;
  address: string;
  /** Folders: the machine's disk, PostgreSQL's data on it, and etcd's data. */
  data: { disk: string; postgres: string; etcd: string };
  /** Runs a program of deploy/ha as PostgreSQL's user. @returns its output */
  run: (...command: string[]) => Promise<string>;
  etcd: ManagedProcess;
  patroni: ManagedProcess;
}

/** The intervals and timeouts of deploy/ha/patroni.yml, in seconds. */
export interface ClusterClocks {
  ttl: number;
  loop_wait: number;
  retry_timeout: number;
}

/** HAProxy's ports: of the primary, of the replica that commits wait for, and of its own state. */
export interface ClusterPorts {
  primary: number;
  replica: number;
  status: number;
}

export interface ClusterPlan {
  folder: string;
  network: MachineNetwork;
  passwords: Record<string, string>;
  clocks?: ClusterClocks | undefined;
  /** The size of each machine's disk for PostgreSQL, such as 2G; without it they share the folder's. */
  disk?: string | undefined;
}

export async function planMachine(
  { folder, network, passwords, clocks, disk }: ClusterPlan,
  index: number,
): Promise<Machine> {
  const address = network.addresses[index] ?? "";
  const name = `machine-${index + 1}`;
  const home = join(folder, name);
  const user = unprivilegedUser() ?? { uid: 0, gid: 0 };
  const data = {
    disk: join(home, "disk"),
    postgres: join(home, "disk/postgres"),
    etcd: join(home, "etcd"),
  };
  const archive = join(folder, "archive");
  await mkdir(data.disk, { recursive: true, mode: 0o700 });
  await mkdir(archive, { recursive: true, mode: 0o700 });
  if (disk) mountDisk(join(folder, `${name}.image`), disk, data.disk);
  for (const path of [home, data.disk, archive]) await chown(path, user.uid, user.gid);
  const given = await readFile(join(ROOT, "deploy/ha/patroni.yml"), "utf8");
  const settings = join(folder, `${name}.yml`);
  await writeFile(settings, fillPatroni(given, home, clocks));
  await chmod(settings, 0o644);
  // The inner setpriv sets the signal again, because a change of the user clears it.
  const asUser = ["setpriv", `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"];
  const program = (...words: string[]): [string, ...string[]] =>
    network.commandOn(index, ...asUser, "--pdeathsig", "TERM", ...words);
  const environment = {
    ...(await machineSettings(network.addresses, index)),
    ...passwords,
    ETCD_DATA_DIR: data.etcd,
    PATRONI_POSTGRESQL_DATA_DIR: data.postgres,
    PATRONI_POSTGRESQL_PGPASS: join(home, "pgpass"),
    PGHOST: home,
    PGBACKREST_REPO1_PATH: archive,
    PGBACKREST_PG1_PATH: data.postgres,
    PGBACKREST_PG1_SOCKET_PATH: home,
    PGBACKREST_LOCK_PATH: join(home, "lock"),
    PGBACKREST_LOG_PATH: home,
  };
  return {
    index,
    name,
    address,
    data,
    run: async (...command) => {
      const [first, ...rest] = program(...command);
      const env = {
        PATH: process.env["PATH"],
        NODE_ENV: "production" as const,
        ...environment,
      };
      const ran = await promisify(execFile)(first, rest, { env, cwd: home }).catch(
        ({ stdout, stderr }: { stdout: string; stderr: string }) => {
          throw new CommandFailure(`${command.join(" ")} on ${name}: ${stdout}${stderr}`);
        },
      );
      return ran.stdout;
    },
    etcd: new ManagedProcess(
      {
        name: `etcd-${name}`,
        program: program("etcd"),
        environment,
        isReady: (log) =>
          log.includes("serving insecure client requests") ||
          log.includes("ready to serve client requests"),
      },
      folder,
    ),
    patroni: new ManagedProcess(
      {
        name: `patroni-${name}`,
        program: program("patroni", settings),
        environment,
        isReady: () =>
          fetch(`http://${address}:8008/liveness`, { signal: AbortSignal.timeout(2_000) }).then(
            () => true,
            () => false,
          ),
      },
      folder,
    ),
  };
}

/** Fills in what three PostgreSQL servers on one computer need, and other intervals and timeouts. */
export function fillPatroni(given: string, home: string, clocks?: ClusterClocks): string {
  const text = given
    .replaceAll("/opt/duebook", ROOT)
    .replace("\n  pg_hba:", `\n  parameters:\n    unix_socket_directories: ${home}\n  pg_hba:`);
  return Object.entries(clocks ?? {}).reduce(
    (filled, [name, seconds]) =>
      filled.replace(new RegExp(`^( +${name}: ).*`, "m"), `$1${seconds}`),
    text,
  );
}

/** deploy/ha/machine.env for the machine with this index. */
export async function machineSettings(addresses: readonly string[], index: number) {
  const given = await readFile(join(ROOT, "deploy/ha/machine.env"), "utf8");
  const own = given
    .replaceAll(/^(?!NODE_|ETCD_INITIAL_CLUSTER=|PATRONI_ETCD_HOSTS=).*$/gm, (line) =>
      line
        .replaceAll("10.0.0.1", `10.0.0.${index + 1}`)
        .replaceAll("machine-1", `machine-${index + 1}`),
    )
    .replaceAll(
      /10\.0\.0\.(\d)/g,
      (_all, number: string) => addresses[Number(number) - 1] ?? "",
    );
  return parseEnv(own);
}

export async function planProxy(
  folder: string,
  addresses: readonly string[],
  ports: ClusterPorts,
): Promise<ManagedProcess> {
  const given = await readFile(join(ROOT, "deploy/ha/haproxy.cfg"), "utf8");
  const settings = join(folder, "haproxy.cfg");
  await writeFile(
    settings,
    given
      .replace("127.0.0.1:5000", `127.0.0.1:${ports.primary}`)
      .replace("127.0.0.1:5001", `127.0.0.1:${ports.replica}`)
      .replace("127.0.0.1:8404", `127.0.0.1:${ports.status}`),
  );
  return new ManagedProcess(
    {
      name: "haproxy",
      program: ["haproxy", "-db", "-f", settings],
      environment: Object.fromEntries(
        addresses.map((address, index) => [`NODE_${index + 1}`, address]),
      ),
      isReady: () => true,
    },
    folder,
  );
}
