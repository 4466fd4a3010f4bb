import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";
import { closeWithin } from "./process.ts";
import { choosePaymentOutcome, requestCode, submitCodePage } from "./testing/checkout-forms.ts";
import { ServiceProgram } from "./testing/processes.ts";
import { openClient } from "./testing/remote.ts";
import {
  testBuyer,
  createCatalogue,
  startTestService,
  TEST_SECRETS_KEY,
  type TestSeller,
  type TestService,
} from "./testing/service.ts";

let database: TestDatabase;
let service: TestService;
beforeAll(async () => {
  database = await createTestDatabase("service");
  service = await startTestService(database.url);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

/** The milliseconds for which the longest waiting statement has waited for a lock. */
async function longestWait() {
  const { rows } = await service.pool.query<{ wait: number }>(
    `select coalesce(max(extract(epoch from clock_timestamp() - query_start)) * 1000, 0)::float8 as wait
     from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.wait ?? 0;
}

/** A request that stays in progress until it is released. */
async function holdRequest({ url }: ServiceProgram, seller: TestSeller, pbp_id: string) {
  const holder = await service.pool.connect();
  await holder.query("begin");
  await holder.query("lock table customer in exclusive mode");
  const answer = fetch(`${url}/api/v1/subscriptions/`, {
    method: "POST",
    headers: { authorization: `Bearer ${seller.key}`, "content-type": "application/json" },
    body: JSON.stringify({ pbp_id, return_url: "https://shop.example/", client: testBuyer() }),
  });
  await expect.poll(longestWait).toBeGreaterThan(0);
  return async () => {
    await holder.query("rollback");
    holder.release();
    return (await answer).status;
  };
}

const refuses = ({ url }: ServiceProgram) =>
  expect.poll(() => fetch(`${url}/healthz`).catch(() => "refused")).toBe("refused");

test("a request in progress still gets its answer after SIGTERM", async () => {
  const seller = await service.createSeller();
  const { monthly } = await createCatalogue(service, seller);
  const program = new ServiceProgram("service", database.url);
  await program.ready;
  const letGo = await holdRequest(program, seller, monthly);

  const ended = program.end("SIGTERM");
  await refuses(program);

  expect(await letGo()).toBe(201);
  expect(await ended).toBe(0);
});

test("a callback of a sandbox payment during shutdown does not interrupt a request in progress", async () => {
  const seller = await service.createSeller();
  const { monthly, weekly } = await createCatalogue(service, seller);
  const program = new ServiceProgram("service", database.url);
  await program.ready;
  const client = openClient({ urls: async () => [program.url], complaints: "" }, service.pool);
  const created = await client.call(seller, {
    method: "POST",
    url: "/api/v1/subscriptions/",
    headers: { "content-type": "application/json" },
    payload: { pbp_id: weekly, return_url: "https://shop.example/", client: testBuyer() },
  });
  const { subscription_id: id } = created.json<{ subscription_id: string }>();
  const { reference } = await submitCodePage(client, id, await requestCode(client, id));
  const letGo = await holdRequest(program, seller, monthly);
  await choosePaymentOutcome(client, reference, "approve");

  const ended = program.end("SIGTERM");
  await refuses(program);
  // After this wait, the second callback is due.
  await expect.poll(longestWait, { timeout: 4_000 }).toBeGreaterThan(2_000);

  expect(await letGo()).toBe(201);
  expect(await ended).toBe(0);
});

test("closeWithin runs the closing functions in order and stops waiting at the time limit", async () => {
  const order: string[] = [];
  const closers = [async () => order.push("requests"), async () => order.push("connections")];
  expect(await closeWithin(1_000, closers)).toBe(true);
  expect(order).toEqual(["requests", "connections"]);
  expect(await closeWithin(1, [() => new Promise(() => {})])).toBe(false);
});

test("a service whose log output is closed exits with code 0", async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts")], {
    env: {
      NODE_ENV: "production",
      SERVICE_DATABASE_URL: database.url,
      SERVICE_PORT: "0",
      SERVICE_SECRETS_KEY: TEST_SECRETS_KEY.toString("base64"),
      SERVICE_LOG_LEVEL: "info",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [said] = /http:\/\/[\d.:]+/.exec(line) ?? [];
      if (said) resolve(said);
    });
  });
  const ended = once(child, "exit");
  child.stdout.destroy();
  await fetch(`${url}/healthz`).catch(() => null);
  await expect(ended).resolves.toEqual([0, null]);
}, 30_000);
