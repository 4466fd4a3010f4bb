import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { database, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { startRelay, type Relay } from "#tools/testing/servers/relay.ts";
import { isDatabaseAway } from "#lib/log.ts";
import { listenTo } from "./listener.ts";
import { createPool, inLongTransaction, inTransaction } from "./pool.ts";

useDashboardDatabase();

let relay: Relay;
beforeEach(async () => {
  await relay?.close();
  relay = await startRelay(database.url);
});
afterAll(() => relay.close());

const SOON = 2_000;

function openPool() {
  const pool = createPool(relay.url, { answersWithin: SOON });
  onTestFinished(() => pool.end());
  return pool;
}

const failure = (trial: Promise<unknown>) =>
  trial.then(
    () => null,
    (error: unknown) => error,
  );

test("by default, connections use TCP keep-alive and slow statements time out", () => {
  const pool = createPool(database.url);
  onTestFinished(() => pool.end());
  expect(pool.options).toMatchObject({
    keepAlive: true,
    query_timeout: 12_500,
    statement_timeout: 10_000,
  });
});

test("a statement on a dead connection fails as a database outage, and the next statement succeeds", async () => {
  const pool = openPool();
  await pool.query("select 1");
  relay.silence();
  expect(isDatabaseAway(await failure(pool.query("select 1")))).toBe(true);
  expect(pool.totalCount).toBe(0);
  await expect(pool.query("select 1")).resolves.toMatchObject({ rowCount: 1 });
});

test("a transaction on a dead connection fails, and its connection is not reused", async () => {
  const pool = openPool();
  const silent = inTransaction(pool, async (client) => {
    await client.query("select 1");
    relay.silence();
    await client.query("select 1");
  });
  expect(isDatabaseAway(await failure(silent))).toBe(true);
  expect(pool.totalCount).toBe(0);
  await expect(inTransaction(pool, (client) => client.query("select 1"))).resolves.toBeTruthy();
});

test("a statement of a long transaction has a longer timeout than other statements", async () => {
  const pool = createPool(database.url, { answersWithin: 1_000 });
  onTestFinished(() => pool.end());
  const slow = (client: Pick<typeof pool, "query">) => client.query("select pg_sleep(1.5)");
  expect(await failure(slow(pool))).toMatchObject({ message: "Query read timeout" });
  await expect(inLongTransaction(pool, 60_000, slow)).resolves.toMatchObject({
    rowCount: 1,
  });
});

test("a listener reconnects after its connection died", async () => {
  const said: string[] = [];
  const listener = listenTo(
    relay.url,
    "trial",
    {
      onConnect: () => said.push("connected"),
      onLost: () => said.push("lost"),
      onNotice: (payload) => said.push(payload),
    },
    { pingEvery: 100, timeout: SOON },
  );
  onTestFinished(() => listener.close());
  await expect.poll(() => said).toEqual(["connected"]);
  relay.silence();
  await expect
    .poll(() => said, { timeout: 30_000 })
    .toEqual(["connected", "lost", "connected"]);
  const pool = openPool();
  await pool.query("select pg_notify('trial', 'heard')");
  await expect.poll(() => said.at(-1)).toBe("heard");
});

test("a statement that waits too long for a locked table fails as a database outage", async () => {
  const pool = createPool(database.url);
  onTestFinished(() => pool.end());
  const told = await inTransaction(pool, async (holder) => {
    await holder.query("lock table session in access exclusive mode");
    return failure(pool.query("select 1 from session"));
  });
  expect(told).toMatchObject({ code: "55P03" });
  expect(isDatabaseAway(told)).toBe(true);
});

test("a write to a read-only database, such as a former primary, fails as a database outage", async () => {
  const pool = createPool(database.url);
  onTestFinished(() => pool.end());
  const written = inTransaction(pool, async (client) => {
    await client.query("set transaction read only");
    await client.query("select nextval('live_number')");
  });
  expect(isDatabaseAway(await failure(written))).toBe(true);
});
