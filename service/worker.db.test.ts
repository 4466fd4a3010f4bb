import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { freePort } from "#scripts/database/free-port.ts";
import { SellerApi } from "./testing/seller-api.ts";
import { Endpoint } from "./testing/endpoint.ts";
import { TEST_SECRETS_KEY, withAccountToken } from "./testing/service.ts";
import { useTestService } from "./testing/use-service.ts";

const service = useTestService();
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** Settings that allow deliveries to this machine, where the receivers run. */
const ALLOWED = { SERVICE_PRIVATE_TARGETS: "allow" };

async function startWorker(environment: Record<string, string> = ALLOWED) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "worker.ts")], {
    env: {
      NODE_ENV: "production",
      SERVICE_DATABASE_URL: String(service.pool.options.connectionString),
      SERVICE_SECRETS_KEY: TEST_SECRETS_KEY.toString("base64"),
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  await once(createInterface(child.stdout), "line");
  return child;
}

async function pgBossConnections() {
  const { rows } = await service.pool.query<{ name: string; held: number }>(
    `select application_name as name, count(*)::int as held from pg_stat_activity
     where datname = current_database() and application_name like 'duebook-%' group by 1`,
  );
  return rows;
}

test("the worker program sends webhooks with one pg-boss instance, and exits on SIGTERM", async () => {
  service.clock.set(new Date().toISOString());
  const endpoint = await Endpoint.listen();
  const api = await SellerApi.open(service);
  await endpoint.register(api, "checkout.succeeded");
  const worker = await startWorker();
  await api.createActive();
  await expect.poll(() => endpoint.arrivals.length).toBe(1);
  const [board, ...others] = await pgBossConnections();
  expect(board?.name).toBe("duebook-jobs");
  // Two working connections, and one for each channel with LISTEN.
  expect(board?.held).toBeLessThanOrEqual(7);
  expect(others).toEqual([]);
  worker.kill("SIGTERM");
  expect(await once(worker, "exit")).toEqual([0, null]);
  await endpoint.close();
});

test("the worker program sends no webhook to a private address by default", async () => {
  service.clock.set(new Date().toISOString());
  const endpoint = await Endpoint.listen();
  const api = await SellerApi.open(service);
  await endpoint.register(api, "checkout.succeeded");
  await startWorker({});
  await api.createActive();
  const lastError = async () => {
    const { rows } = await service.pool.query<{ last_error: string | null }>(
      "select error as last_error from delivery_attempt where seller_id = $1",
      [api.seller.seller_id],
    );
    return rows[0]?.last_error;
  };
  await expect.poll(lastError).toBe("Not sent. Use an address on the public internet.");
  expect(endpoint.arrivals).toEqual([]);
  await endpoint.close();
});

test("a worker with a metrics port publishes delivery metrics without seller names", async () => {
  service.clock.set(new Date().toISOString());
  const endpoint = await Endpoint.listen();
  const api = await SellerApi.open(service);
  await endpoint.register(api, "checkout.succeeded");
  const port = await freePort();
  await startWorker({ ...ALLOWED, SERVICE_WORKER_METRICS_PORT: String(port) });
  const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  await api.createActive();
  await expect
    .poll(metrics)
    .toContain('webhook_attempt_duration_seconds_count{outcome="delivered"} 1');
  const text = await metrics();
  expect(text).toContain("webhook_first_attempt_delay_seconds_count 1");
  expect(text).toContain('webhook_deliveries{state="due"}');
  expect(text).toContain("database_connections");
  expect(text).not.toContain(api.seller.name);
  await endpoint.close();
});

test("after a worker is killed, the next worker sends no message twice and loses none", async () => {
  service.clock.set(new Date().toISOString());
  const gateway = await Endpoint.listen();
  gateway.answer = (response) => setTimeout(() => response.writeHead(200).end(), 20);
  const owner = await withAccountToken(service, (await SellerApi.open(service)).seller);
  const channel = "/account/v1/channels/sms/";
  const settings = { url: gateway.url };
  const setup = { provider: "http_sms", settings, per_minute: 6_000, version: null };
  await service.call(owner, { method: "POST", url: channel, payload: setup });
  for (let count = 0; count < 60; count += 1)
    await service.call(owner, {
      method: "POST",
      url: `${channel}test/`,
      payload: { to: `98000${10_000 + count}` },
    });
  const database = new URL(String(service.pool.options.connectionString));
  database.searchParams.set("application_name", "killed-worker");
  const worker = await startWorker({ ...ALLOWED, SERVICE_DATABASE_URL: database.href });
  await expect.poll(() => gateway.arrivals.length, { interval: 5 }).toBeGreaterThan(10);
  worker.kill("SIGKILL");
  await once(worker, "exit");
  // PostgreSQL completes what it had already received from the killed worker.
  await expect
    .poll(async () => {
      const { rowCount } = await service.pool.query(
        "select from pg_stat_activity where application_name = 'killed-worker'",
      );
      return rowCount;
    })
    .toBe(0);
  // Ends the leases of the killed worker.
  await service.pool.query("update message set leased_until = now() where state = 'sending'");
  await service.pool.query("update message_channel set free_at = now()");
  const port = await freePort();
  await startWorker({ ...ALLOWED, SERVICE_WORKER_METRICS_PORT: String(port) });
  const statesOf = async () => {
    const { rows } = await service.pool.query<{ state: string; count: number }>(
      "select state, count(*)::int from message group by 1",
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  };
  await expect
    .poll(
      async () => {
        const { accepted = 0, unknown = 0 } = await statesOf();
        return accepted + unknown;
      },
      { timeout: 30_000 },
    )
    .toBe(60);
  const reached = gateway.arrivals.map(({ body }) => new URLSearchParams(body).get("to"));
  expect(new Set(reached).size).toBe(reached.length);
  const { unknown = 0 } = await statesOf();
  expect(reached.length).toBeGreaterThanOrEqual(60 - unknown);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toMatch(
    /message_attempts_total\{kind="test",provider="http_sms",result="accepted"\} \d+/,
  );
  expect(metrics).not.toMatch(/98000\d/);
  await gateway.close();
});
