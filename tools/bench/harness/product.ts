import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { createPool, singleRow } from "#lib/db/pool.ts";
import { demonstrationPerson } from "#scripts/demonstration/account.ts";
import { freePort } from "#scripts/database/free-port.ts";
import { startPostgres } from "#scripts/database/postgres.ts";
import { ROOT } from "#scripts/process/settings.ts";
import {
  stopProcess,
  startBenchService,
  waitUntilReady,
  type BenchService,
} from "./subject.ts";

/** The built dashboard in its own process. */
export interface Dashboard {
  url: string;
  metricsPort: number;
  /** Port of Node's inspector; 0 if it is off. */
  inspectPort: number;
  close: () => Promise<void>;
}

/** Service, dashboard and their databases, with one seller and its subscriptions. */
export interface Product {
  subject: BenchService;
  dashboard: Dashboard;
  /** The pool of the dashboard's database. */
  pool: pg.Pool;
  owner: KeyOwner;
  /** The seller's code in URLs. */
  code: string;
  serviceInspectPort: number;
  /** Replaces the dashboard by a new one. @param apiUrl URL of the service */
  restart: (apiUrl: string) => Promise<void>;
  close: () => Promise<void>;
}

interface Order {
  subscriptions: number;
  /** Whether Node's inspector is open in both programs. */
  isInspected?: boolean;
}

const newKey = () => randomBytes(32).toString("base64");
// The dashboard's code in this process reads its settings once for all products.
const SECRETS = { NEXTAUTH_SECRET: newKey(), API_KEY_ENCRYPTION_KEY: newKey() };

export async function startProduct({
  subscriptions,
  isInspected = false,
}: Order): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), "duebook-bench-"));
  const postgres = await startPostgres(folder);
  for (const name of ["service", "dashboard"]) await postgres.ensureDatabase(name);
  const serviceInspectPort = isInspected ? await freePort() : 0;
  const subject = await startBenchService(postgres.url("service"), subscriptions, {
    environment: { SERVICE_SECRETS_KEY: newKey(), SERVICE_FAILED_KEY_LIMIT: "0" },
    arguments: inspecting(serviceInspectPort),
  });
  const settings = {
    DATABASE_URL: postgres.url("dashboard"),
    ...SECRETS,
    BILLING_SANDBOX_API_KEY: subject.key,
    BILLING_SANDBOX_CHECKOUT_URL: serviceUrl(subject),
  };
  const start = (apiUrl: string) =>
    startDashboard({ ...settings, BILLING_SANDBOX_API_URL: apiUrl }, isInspected);
  const product = { dashboard: await start(serviceUrl(subject)) };
  const pool = createPool(settings.DATABASE_URL);
  const { rows } = await pool.query<KeyOwner & { code: string }>(
    `select c.seller_id, c.mode, s.code
       from billing_connection c join seller s on s.id = c.seller_id`,
  );
  const { code, ...owner } = singleRow(rows);
  // Settings for the dashboard's code in this process.
  Object.assign(process.env, settings, {
    BILLING_SANDBOX_API_URL: serviceUrl(subject),
    NEXTAUTH_URL: product.dashboard.url,
  });
  return Object.assign(product, {
    subject,
    pool,
    owner,
    code,
    serviceInspectPort,
    restart: async (apiUrl: string) => {
      await product.dashboard.close();
      product.dashboard = await start(apiUrl);
    },
    close: async () => {
      await pool.end();
      await product.dashboard.close();
      await subject.close();
      await postgres.close();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

export const serviceUrl = ({ port }: Pick<BenchService, "port">) => `http://localhost:${port}`;

const inspecting = (port: number) =>
  port === 0 ? [] : [`--inspect=127.0.0.1:${port}`, "--inspect-publish-uid=http"];

async function startDashboard(
  settings: Record<string, string>,
  isInspected: boolean,
): Promise<Dashboard> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const inspectPort = isInspected ? await freePort() : 0;
  const url = `http://localhost:${port}`;
  const { email, password } = demonstrationPerson();
  const program = [...inspecting(inspectPort), join(ROOT, "scripts/dashboard.ts")];
  const child: ChildProcess = spawn(process.execPath, program, {
    cwd: ROOT,
    // The dashboard's log goes to standard error, because it is not part of the results.
    stdio: ["ignore", process.stderr, process.stderr],
    env: {
      ...process.env,
      ...settings,
      HOST: "127.0.0.1",
      PORT: String(port),
      NODE_ENV: "production",
      TZ: "UTC",
      NEXTAUTH_URL: url,
      NEXT_TELEMETRY_DISABLED: "1",
      DASHBOARD_METRICS_PORT: String(metricsPort),
      DEMO_EMAIL: email,
      DEMO_PASSWORD: password,
      DEMO_SELLER_NAME: "Phewa Home Services",
    },
  });
  await waitUntilReady(`${url}/healthz`, child);
  return { url, metricsPort, inspectPort, close: () => stopProcess(child) };
}

/** The ids of the seller's recurring billing periods. */
export async function listPeriods({ subject }: Pick<Product, "subject">): Promise<string[]> {
  const answer = await fetch(`${serviceUrl(subject)}/api/v1/products/`, {
    headers: { authorization: `Bearer ${subject.key}` },
  });
  const { results } = (await answer.json()) as {
    results: { plan: { billing_periods: { pbp_id: string; interval_type: string }[] }[] }[];
  };
  return results
    .flatMap(({ plan }) => plan.flatMap(({ billing_periods }) => billing_periods))
    .filter(({ interval_type }) => interval_type !== "one_time")
    .map(({ pbp_id }) => pbp_id);
}
