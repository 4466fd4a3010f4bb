import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#scripts/testing/database.ts";
import { closeWithin } from "./shutdown.ts";
import { choose, start, submit } from "./testing/checkout-forms.ts";
import { Program } from "./testing/processes.ts";
import { openDoor } from "./testing/remote.ts";
import {
  buyer,
  createCatalogue,
  startTestService,
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

/** For how many milliseconds a statement of this database has waited for a lock; 0 where none does. */
async function longestWait() {
  const { rows } = await service.pool.query<{ wait: number }>(
    `select coalesce(max(extract(epoch from clock_timestamp() - query_start)) * 1000, 0)::float8 as wait
     from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.wait ?? 0;
}

/** A request that is under way until it is let go. */
async function holdRequest({ url }: Program, seller: TestSeller, pbp_id: string) {
  const holder = await service.pool.connect();
  await holder.query("begin");
  await holder.query("lock table customer in exclusive mode");
  const answer = fetch(`${url}/api/v1/subscriptions/`, {
    method: "POST",
    headers: { authorization: `Bearer ${seller.key}`, "content-type": "application/json" },
    body: JSON.stringify({ pbp_id, return_url: "https://shop.example/", client: buyer() }),
  });
  await expect.poll(longestWait).toBeGreaterThan(0);
  return async () => {
    await holder.query("rollback");
    holder.release();
    return (await answer).status;
  };
}

const refuses = ({ url }: Program) =>
  expect.poll(() => fetch(`${url}/healthz`).catch(() => "refused")).toBe("refused");

test("a request that runs when the process is told to end still gets its answer", async () => {
  const seller = await service.createSeller();
  const { monthly } = await createCatalogue(service, seller);
  const program = new Program("service", database.url);
  await program.ready;
  const letGo = await holdRequest(program, seller, monthly);

  const ended = program.end("SIGTERM");
  await refuses(program);

  expect(await letGo()).toBe(201);
  expect(await ended).toBe(0);
});

test("news of a sandbox payment that falls due while the process ends cuts nothing off", async () => {
  const seller = await service.createSeller();
  const { monthly, weekly } = await createCatalogue(service, seller);
  const program = new Program("service", database.url);
  await program.ready;
  const door = openDoor({ urls: async () => [program.url], complaints: "" }, service.pool);
  const created = await door.call(seller, {
    method: "POST",
    url: "/api/v1/subscriptions/",
    headers: { "content-type": "application/json" },
    payload: { pbp_id: weekly, return_url: "https://shop.example/", client: buyer() },
  });
  const { subscription_id: id } = created.json<{ subscription_id: string }>();
  const { reference } = await submit(door, id, await start(door, id));
  const letGo = await holdRequest(program, seller, monthly);
  await choose(door, reference, "approve");

  const ended = program.end("SIGTERM");
  await refuses(program);
  // By then the second piece of news has fallen due.
  await expect.poll(longestWait, { timeout: 4_000 }).toBeGreaterThan(2_000);

  expect(await letGo()).toBe(201);
  expect(await ended).toBe(0);
});

test("closing gives up on what does not end in time", async () => {
  const order: string[] = [];
  const closers = [async () => order.push("requests"), async () => order.push("connections")];
  expect(await closeWithin(1_000, closers)).toBe(true);
  expect(order).toEqual(["requests", "connections"]);
  expect(await closeWithin(1, [() => new Promise(() => {})])).toBe(false);
});
