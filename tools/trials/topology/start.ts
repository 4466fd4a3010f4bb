import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePorts } from "../../../e2e/support/command.ts";
import { CommandFailure } from "#scripts/process/command.ts";
import { unprivilegedUser } from "#scripts/database/postgres-home.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { ManagedProcess } from "./managed-process.ts";
import {
  initStatements,
  PrimaryAndReplica,
  databaseUrlOf,
  type RolePasswords,
} from "./postgres.ts";
import {
  requireTools,
  writeNginx,
  writePooler,
  type ProxyPorts,
  type ProxyTools,
} from "./proxies.ts";

export interface Topology {
  tools: ProxyTools;
  pair: PrimaryAndReplica;
  /** The processes in the order of their start. */
  processes: ManagedProcess[];
  processNamed: (name: string) => ManagedProcess;
  /** The dashboard's URL at nginx. */
  dashboardUrl: string;
  apiUrl: string;
  poolerUrl: string;
  /** URLs of the databases without PgBouncer. */
  direct: { dashboard: string; service: string; replica: string };
  secrets: Record<"NEXTAUTH_SECRET" | "API_KEY_ENCRYPTION_KEY" | "SERVICE_SECRETS_KEY", string>;
  startService: () => Promise<void>;
  /** @param account environment of the first account, as up.ts sets it */
  startDashboards: (account: Record<string, string>) => Promise<void>;
  /** Runs the migrations of this Duebook. */
  migrate: () => Promise<void>;
  close: () => Promise<void>;
}

const secret = () => randomBytes(32).toString("base64");
const password = () => randomBytes(12).toString("hex");

/**
 * Starts what compose.yaml describes as plain processes: PostgreSQL, PgBouncer and nginx at once, the
 * programs by the returned methods.
 * @param root the folder of another Duebook, whose tables are made and whose programs start
 */
export async function startTopology(folder: string, root = ROOT): Promise<Topology> {
  const tools = requireTools();
  const passwords: RolePasswords = {
    dashboard: password(),
    dashboard_owner: password(),
    service: password(),
    service_owner: password(),
    replica: password(),
  };
  const ports = await takePorts();
  const script = readFileSync(join(ROOT, "deploy/postgres-init.sh"), "utf8");
  const pair = await PrimaryAndReplica.start(
    join(folder, "postgres"),
    initStatements(script, passwords),
  );
  const direct = {
    dashboard: databaseUrlOf(pair.primary, "dashboard", passwords),
    service: databaseUrlOf(pair.primary, "service", passwords),
    replica: databaseUrlOf(pair.replica, "dashboard", passwords),
  };
  const pooled = (role: "dashboard" | "service") =>
    `postgresql://${role}:${passwords[role]}@127.0.0.1:${ports.pooler}/${role}`;
  const secrets = {
    NEXTAUTH_SECRET: secret(),
    API_KEY_ENCRYPTION_KEY: secret(),
    SERVICE_SECRETS_KEY: secret(),
  };
  const user = unprivilegedUser();
  const socket = new URL(pair.primary.url("postgres")).searchParams.get("host") ?? "";
  const { byTransaction } = tools;
  const pooler = writePooler(folder, {
    port: ports.pooler,
    socket,
    passwords,
    byTransaction,
    user,
  });
  const dashboardUrl = `http://127.0.0.1:${ports.desk}`;
  const apiUrl = `http://127.0.0.1:${ports.api}`;
  const processes: ManagedProcess[] = [];
  const add = async (plan: ConstructorParameters<typeof ManagedProcess>[0]) => {
    const managed = new ManagedProcess(plan, folder);
    managed.root = root;
    processes.push(managed);
    await managed.start();
  };
  const service = {
    SERVICE_DATABASE_URL: pooled("service"),
    SERVICE_DATABASE_DIRECT_URL: direct.service,
    SERVICE_SECRETS_KEY: secrets.SERVICE_SECRETS_KEY,
    SERVICE_PUBLIC_URL: apiUrl,
    SERVICE_TRUSTED_PROXIES: "1",
    // Deliveries may go to private addresses, because the receivers run on this machine.
    SERVICE_PRIVATE_TARGETS: "allow",
    SERVICE_WORKER: "elsewhere",
    SERVICE_LOG_LEVEL: "warn",
  };
  const dashboard = {
    DATABASE_URL: pooled("dashboard"),
    DATABASE_DIRECT_URL: direct.dashboard,
    DATABASE_REPLICA_URL: direct.replica,
    NEXTAUTH_SECRET: secrets.NEXTAUTH_SECRET,
    API_KEY_ENCRYPTION_KEY: secrets.API_KEY_ENCRYPTION_KEY,
    NEXTAUTH_URL: dashboardUrl,
    BILLING_SANDBOX_API_URL: `http://127.0.0.1:${ports.inside}`,
    BILLING_SANDBOX_CHECKOUT_URL: apiUrl,
    TRUSTED_PROXIES: "1",
    MIRROR_WORKER: "elsewhere",
    HOST: "127.0.0.1",
  };
  const close = async () => {
    for (const managed of processes.toReversed()) await managed.end();
    await pair.close();
  };
  const migrate = (version: string) =>
    migrateAsOwner(
      {
        DATABASE_OWNER_URL: databaseUrlOf(pair.primary, "dashboard_owner", passwords),
        DATABASE_ROLE: "dashboard",
        SERVICE_DATABASE_OWNER_URL: databaseUrlOf(pair.primary, "service_owner", passwords),
        SERVICE_DATABASE_ROLE: "service",
      },
      version,
    );
  try {
    await migrate(root);
    await add({
      name: "pgbouncer",
      program: ["pgbouncer", "--quiet", pooler],
      user,
      isReady: () => answersAt(ports.pooler),
    });
    await add({
      name: "nginx",
      program: ["nginx", "-c", writeNginx(folder, ports), "-e", join(folder, "nginx.log")],
      isReady: () => answersAt(ports.desk),
    });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    tools,
    pair,
    processes,
    processNamed: (name) => {
      const found = processes.find((one) => one.name === name);
      if (!found) throw new Error(`there is no process ${name}`);
      return found;
    },
    dashboardUrl,
    apiUrl,
    poolerUrl: pooled("service"),
    direct,
    secrets,
    close,
    migrate: () => migrate(ROOT),
    startService: async () => {
      for (const [index, port] of ports.services.entries())
        await add({
          name: `service-${index + 1}`,
          node: ["service/main.ts"],
          environment: { ...service, SERVICE_PORT: String(port) },
          isReady: () => isReady(port),
        });
      for (const name of ["service-worker-1", "service-worker-2"])
        await add({
          name,
          node: ["service/worker.ts"],
          environment: service,
          isReady: saysReady,
        });
    },
    startDashboards: async (account) => {
      for (const [index, port] of ports.dashboards.entries())
        await add({
          name: `dashboard-${index + 1}`,
          node: ["scripts/dashboard.ts"],
          environment: { ...dashboard, ...account, PORT: String(port) },
          isReady: () => isReady(port),
        });
      for (const name of ["dashboard-worker-1", "dashboard-worker-2"])
        await add({
          name,
          node: ["--conditions=react-server", "scripts/worker-process.ts"],
          environment: dashboard,
          isReady: saysReady,
        });
    },
  };
}

/**
 * Runs the migrations, as the `migrate` container of compose.yaml does.
 * @throws CommandFailure with the command's output
 */
export async function migrateAsOwner(environment: Record<string, string>, root = ROOT) {
  await promisify(execFile)(process.execPath, ["scripts/migrate.ts"], {
    cwd: root,
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...environment },
  }).catch(({ stderr }: { stderr: string }) => {
    throw new CommandFailure(`the tables are not ready: ${stderr.trim()}`);
  });
}

const saysReady = (log: string) => log.includes("the worker is ready");

/** Whether the program is ready, by the image's health check. */
export async function isReady(port: number): Promise<boolean> {
  const signal = AbortSignal.timeout(3_000);
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).catch(() => null);
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}

function answersAt(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}

/** Chooses ports outside the range of outgoing connections. */
async function takePorts(): Promise<ProxyPorts> {
  const [desk = 0, api = 0, plain = 0, inside = 0, pooler = 0, ...behind] = await freePorts(9);
  return {
    desk,
    api,
    plain,
    inside,
    pooler,
    dashboards: behind.slice(0, 2),
    services: behind.slice(2),
  };
}
