import { spawn, type ChildProcess } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#scripts/testing/database.ts";
import { closeWithin } from "./shutdown.ts";
import {
  buyer,
  createCatalogue,
  startTestService,
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

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => probe.once("listening", done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

async function startProcess() {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts")], {
    env: {
      NODE_ENV: "production",
      SERVICE_DATABASE_URL: database.url,
      SERVICE_PORT: String(port),
      SERVICE_LOG_LEVEL: "info",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  await said(child, "Server listening");
  return { child, ended, url: `http://127.0.0.1:${port}` };
}

function said(child: ChildProcess, words: string) {
  return new Promise<void>((done) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes(words)) done();
    });
  });
}

/** Resolves when some statement of this database waits for a lock. */
async function someoneWaits() {
  for (;;) {
    const { rowCount } = await service.pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rowCount !== 0) return;
  }
}

test("a request that runs when the process is told to end still gets its answer", async () => {
  const seller = await service.createSeller();
  const { monthly } = await createCatalogue(service, seller);
  const { child, ended, url } = await startProcess();
  const holder = await service.pool.connect();
  await holder.query("begin");
  await holder.query("lock table customer in exclusive mode");

  const answer = fetch(`${url}/api/v1/subscriptions/`, {
    method: "POST",
    headers: { authorization: `Bearer ${seller.key}`, "content-type": "application/json" },
    body: JSON.stringify({
      pbp_id: monthly,
      return_url: "https://shop.example/",
      client: buyer(),
    }),
  });
  await someoneWaits();
  child.kill("SIGTERM");
  await expect.poll(() => fetch(`${url}/healthz`).catch(() => "refused")).toBe("refused");
  await holder.query("rollback");
  holder.release();

  expect((await answer).status).toBe(201);
  expect(await ended).toBe(0);
});

test("closing gives up on what does not end in time", async () => {
  const order: string[] = [];
  const closers = [async () => order.push("requests"), async () => order.push("connections")];
  expect(await closeWithin(1_000, closers)).toBe(true);
  expect(order).toEqual(["requests", "connections"]);
  expect(await closeWithin(1, [() => new Promise(() => {})])).toBe(false);
});
