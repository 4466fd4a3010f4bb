import { fork, spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "#scripts/database/free-port.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { openPool } from "../../../service/db/database.ts";
import { migrateService } from "../../../service/db/migrate.ts";
import { partitionBySeller } from "../../../service/db/partitions.ts";
import { seedDemonstration } from "../../../service/seed/seed.ts";
import { fillRows } from "../lifecycle/lifecycle-rows.ts";
import type { FloorCommand } from "./floor.ts";
import type { LoadMeasurement } from "./load.ts";

/** A service process with its own database, seeded with subscriptions. */
export interface BenchService {
  subscriptions: number;
  databaseUrl: string;
  key: string;
  sellerId: number;
  ids: string[];
  /** Active subscriptions, which can be cancelled and resumed. */
  running: string[];
  period: string;
  due: number;
  port: number;
  metricsPort: number;
  /** Bytes of the process in memory. */
  memory: () => Promise<number>;
  /** Seconds of processor time that the service has used so far. */
  processorSeconds: () => Promise<number>;
  close: () => Promise<void>;
}

/** Additional rows, environment and options of a service process. */
interface SubjectOptions {
  /** Subscriptions of other sellers. */
  beside?: { rows: number; sellers: number };
  /** Divides the tables among so many partitions by seller. */
  partitions?: number;
  environment?: Record<string, string>;
  /** Arguments of Node.js, before the program. */
  arguments?: string[];
}

export async function startBenchService(
  databaseUrl: string,
  subscriptions: number,
  options: SubjectOptions = {},
): Promise<BenchService> {
  await migrateService(databaseUrl);
  if (options.beside) await addOthers(databaseUrl, options.beside);
  const pool = openPool(databaseUrl);
  const [seller] = await seedDemonstration(pool, {
    subscriptions,
    branches: 35,
    now: new Date(),
    publicUrl: "http://localhost",
    mode: "test",
  });
  const { rows } = await pool.query<{
    seller_id: number;
    ids: string[];
    running: string[];
    due: number;
  }>(
    `select s.seller_id,
       array(select subscription_id from subscription where seller_id = s.seller_id
         and position % greatest($2::bigint / 1000, 1) = 0) as ids,
       array(select subscription_id from subscription where seller_id = s.seller_id
         and status = 'active' and not is_one_time
         and next_billing_cycle > now() + interval '1 day' limit 5000) as running,
       (select sum(rows)::int from subscription_tally t
         where t.seller_id = s.seller_id and size = 0 and status = 'due') as due
     from seller s where name = $1`,
    [seller?.name, subscriptions],
  );
  await pool.query("checkpoint");
  await pool.end();
  if (options.partitions) await partitionBySeller(databaseUrl, options.partitions);
  const [found] = rows;
  return {
    subscriptions,
    databaseUrl,
    key: seller?.keys[0]?.key ?? "",
    sellerId: found?.seller_id ?? 0,
    ids: found?.ids ?? [],
    running: found?.running ?? [],
    due: found?.due ?? 0,
    period: "pbp_fibre_100_month",
    ...(await startService(databaseUrl, options)),
  };
}

async function addOthers(url: string, { rows, sellers }: { rows: number; sellers: number }) {
  const patient = openPool(url, 0);
  await fillRows(patient, rows, sellers);
  await patient.end();
}

/** Starts a service process on a migrated database. */
export async function startService(
  databaseUrl: string,
  { environment = {}, arguments: given = [] }: SubjectOptions = {},
) {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [...given, join(ROOT, "service/main.ts")], {
    env: {
      NODE_ENV: "production",
      SERVICE_DATABASE_URL: databaseUrl,
      SERVICE_PORT: String(port),
      SERVICE_METRICS_PORT: String(metricsPort),
      SERVICE_RATE_LIMIT: "0",
      SERVICE_LOG_LEVEL: "warn",
      ...environment,
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  await waitUntilReady(`http://127.0.0.1:${port}/readyz`, child);
  const metric = async (name: string) => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1]);
  };
  return {
    port,
    metricsPort,
    memory: () => metric("process_resident_memory_bytes"),
    processorSeconds: () => metric("process_cpu_seconds_total"),
    close: () => stopProcess(child),
  };
}

export async function waitUntilReady(url: string, child: ChildProcess) {
  while (child.exitCode === null) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await delay(100);
  }
  throw new Error(`${url} does not answer`);
}

/** Stops a process and waits until it has ended. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  child.kill("SIGTERM");
  await ended;
}

const startFloor = () =>
  fork(join(import.meta.dirname, "floor.ts"), { env: { NODE_ENV: "production" } });

function ask<Reply>(child: ChildProcess, order: FloorCommand): Promise<Reply> {
  const reply = new Promise<Reply>((done) =>
    child.once("message", (value) => done(value as Reply)),
  );
  child.send(order);
  return reply;
}

/** Starts the minimal servers to compare with, each in its own process like the service. */
export async function startFloors(body: string) {
  const [http, driver] = [startFloor(), startFloor()];
  const { port } = await ask<{ port: number }>(http, { serve: body });
  return {
    port,
    fetchRows: (order: Extract<FloorCommand, { fetch: object }>) =>
      ask<LoadMeasurement>(driver, order),
    close: async () => {
      await Promise.all([stopProcess(http), stopProcess(driver)]);
    },
  };
}
