import { beforeEach, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { removeApiKey } from "#lib/billing/connection.ts";
import { readClock } from "#lib/db/pool.ts";
import { ChangingService } from "#tools/testing/servers/changing-service.ts";
import {
  acquireLeaseOf,
  indexedRecords,
  countIndexedRecords,
  expectIndexed,
  createIndexOwner,
  storeApiKey,
  readSyncStatus,
  runSlice,
} from "#tools/testing/fixtures/search-index-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { releaseSyncLeases } from "./sync-lease.ts";
import { readIndexStatus } from "#lib/search-index/query/index-status.ts";
import { findIndexedCustomer } from "#lib/search-index/query/search-records.ts";
import { enqueueRefresh, requestFullSync } from "./refresh-queue.ts";
import { rowsOf } from "#lib/search-index/records/lists.ts";
import { storeRows } from "./store.ts";

useDashboardDatabase();
const HOME = { time_zone: "Asia/Kathmandu" };
let owner: KeyOwner;
let api: ChangingService;

beforeEach(async () => {
  owner = await createIndexOwner();
  api = new ChangingService();
});

const expectEqual = () => expectIndexed(owner, api);
const fill = (count: number) => api.fill(count);

test("an index fills with every page of the API, with at most the allowed parallel calls", async () => {
  fill(43);
  await runSlice(owner, api, { calls: 3 });
  await expectEqual();
  await expect(readSyncStatus(owner)).resolves.toMatchObject({ is_filled: true, error: null });
  expect(api.mostAtOnce).toBe(3);
});

test("the age of an index counts from the last full sync, unless webhooks report later changes", async () => {
  fill(3);
  await runSlice(owner, api);
  const ageOf = async () => {
    const state = await readIndexStatus(pool, owner);
    return state.state === "ready" ? state.age_s : null;
  };
  expect(await ageOf()).toBeLessThan(600);
  await pool.query(
    "update mirror_round set whole_since = whole_since - interval '1 hour' where seller_id = $1",
    [owner.seller_id],
  );
  expect(await ageOf()).toBeGreaterThan(3_500);
  await pool.query("update receiver set registered_at = now() where seller_id = $1", [
    owner.seller_id,
  ]);
  expect(await ageOf()).toBeLessThan(600);
  // A second fill is unfinished, so the rows of the first one still count.
  await pool.query("update receiver set registered_at = null where seller_id = $1", [
    owner.seller_id,
  ]);
  await pool.query("update mirror_round set whole_since = null where seller_id = $1", [
    owner.seller_id,
  ]);
  await pool.query(
    "update mirror set filled_at = filled_at - interval '1 hour' where seller_id = $1",
    [owner.seller_id],
  );
  expect(await ageOf()).toBeGreaterThan(3_500);
});

test("a customer is found by a phone number in any spelling, and not by another number", async () => {
  fill(3);
  expect(await findIndexedCustomer(pool, owner, "9800000003", HOME)).toBeNull();
  await runSlice(owner, api);
  for (const { id, buyer_phone } of api.customers)
    expect(await findIndexedCustomer(pool, owner, `+977 ${buyer_phone}`, HOME)).toMatchObject({
      customer: { id },
    });
  for (const unknown of ["9899999999", "12"])
    expect(await findIndexedCustomer(pool, owner, unknown, HOME)).toEqual({ customer: null });
});

test("an interrupted fill of the index resumes where it stopped", async () => {
  fill(100);
  await runSlice(owner, api, { turn: 0, calls: 1 });
  await expect(readSyncStatus(owner)).resolves.toMatchObject({ is_filled: false });
  for (let turns = 0; turns < 100 && !(await readSyncStatus(owner))?.is_filled; turns += 1) {
    await runSlice(owner, api, { turn: 5, calls: 1, newestEvery: 1_000 });
  }
  await expectEqual();
  // Twenty pages of both long lists, one page of products, and the newest page of each list once.
  expect(api.calls).toBeLessThanOrEqual(2 * 20 + 1 + 3 + 3);
});

test("the lease of a killed worker expires and another worker continues", async () => {
  fill(3);
  expect(await acquireLeaseOf(owner)).not.toBeNull();
  await expect(runSlice(owner, api)).resolves.toBe(false);
  await pool.query("update mirror set claimed_until = now() where seller_id = $1", [
    owner.seller_id,
  ]);
  await expect(runSlice(owner, api)).resolves.toBe(true);
  await expectEqual();
});

test("a worker that lost its lease writes no more progress", async () => {
  fill(30);
  let calls = 0;
  api.onCall = async () => {
    calls += 1;
    if (calls !== 10) return;
    const { rows } = await pool.query<{ claim: string }>(
      "select claim from mirror where seller_id = $1",
      [owner.seller_id],
    );
    await releaseSyncLeases(pool, [rows[0]?.claim ?? ""]);
  };
  await runSlice(owner, api);
  await expect(readSyncStatus(owner)).resolves.toMatchObject({ is_filled: false, error: null });
  await runSlice(owner, api);
  await expectEqual();
});

test("rows added or removed during a scan are neither lost nor duplicated after the next full sync", async () => {
  fill(40);
  let calls = 0;
  api.onCall = () => {
    calls += 1;
    if (calls % 7 === 0) api.create();
    if (calls % 11 === 0 && calls < 60) api.remove(calls);
  };
  await runSlice(owner, api, { calls: 4 });
  api.onCall = () => {};
  await requestFullSync(pool, owner);
  await runSlice(owner, api, { calls: 4 });
  await expectEqual();
});

test("a service without total counts is indexed too, and removed records are checked one by one", async () => {
  fill(23);
  api.isCounting = false;
  await runSlice(owner, api);
  await expectEqual();
  api.remove(7);
  await requestFullSync(pool, owner);
  await runSlice(owner, api);
  await expectEqual();
});

test("the sync job waits for a rate limit as long as the service says", async () => {
  fill(3);
  api.failures.push({ kind: "rate_limited", retry_after: 77 });
  await runSlice(owner, api);
  const status = await readSyncStatus(owner);
  expect(status).toMatchObject({ error: "rate_limited", is_filled: false });
  expect(status?.wait).toBeGreaterThan(70);
  await requestFullSync(pool, owner);
  await expect(runSlice(owner, api)).resolves.toBe(false);
  expect(api.calls).toBe(1);
});

test("an unreachable service is retried with growing delays", async () => {
  const waits: number[] = [];
  for (let time = 0; time < 3; time += 1) {
    api.failures.push({ kind: "unavailable", outcome_unknown: false });
    await runSlice(owner, api);
    waits.push((await readSyncStatus(owner))?.wait ?? 0);
    await pool.query("update mirror set wait_until = null");
  }
  expect(waits.map((wait) => Math.round(wait / 5))).toEqual([1, 2, 4]);
  await runSlice(owner, api);
  await expect(readSyncStatus(owner)).resolves.toMatchObject({ error: null, wait: null });
});

test("a queued refresh reads its record from the API again and is removed from the queue", async () => {
  fill(8);
  await runSlice(owner, api);
  const id = api.change(7, { status: "due", is_active: false }) ?? "";
  await enqueueRefresh(pool, owner, "subscriptions", [id, "no-such-record"]);
  await runSlice(owner, api, { newestEvery: 1_000 });
  await expectEqual();
  await expect(readSyncStatus(owner)).resolves.toMatchObject({ hints: 0 });
});

test("a refresh that is queued again while its record is being read runs again", async () => {
  fill(8);
  await runSlice(owner, api);
  await enqueueRefresh(pool, owner, "subscriptions", ["sub-1"]);
  let moments = 0;
  api.onCall = async () => {
    moments += 1;
    // At this moment the service has created the answer, but it has not arrived.
    if (moments !== 2) return;
    api.change(7, { status: "due" });
    await enqueueRefresh(pool, owner, "subscriptions", ["sub-1"]);
  };
  await runSlice(owner, api, { newestEvery: 1_000 });
  await expectEqual();
});

test("more than a thousand queued refreshes are replaced by a full sync", async () => {
  fill(1);
  await runSlice(owner, api);
  const ids = Array.from({ length: 1_000 }, (_, at) => `made-up-${at}`);
  await enqueueRefresh(pool, owner, "subscriptions", ids);
  await enqueueRefresh(pool, owner, "subscriptions", ["one-more"]);
  await expect(readSyncStatus(owner)).resolves.toMatchObject({ hints: 1_000 });
  const { rows } = await pool.query(
    "select 1 from mirror where seller_id = $1 and round_wanted_at is not null",
    [owner.seller_id],
  );
  expect(rows).toHaveLength(1);
});

test("a new API key starts a new index, which ignores responses to the old key", async () => {
  fill(3);
  await runSlice(owner, api);
  const claimed = await acquireLeaseOf(owner);
  const asked_at = await readClock(pool);
  await storeApiKey(owner, "sk_test_second");
  await expect(countIndexedRecords(owner)).resolves.toBe(0);
  if (!claimed) throw new Error("nothing was claimed");
  const rows = rowsOf("subscriptions", api.subscriptions);
  await storeRows(pool, claimed, "subscriptions", rows, asked_at);
  await expect(countIndexedRecords(owner)).resolves.toBe(0);
  await expect(readSyncStatus(owner)).resolves.toMatchObject({ is_filled: false });
});

test("the index is deleted when the connection is removed", async () => {
  fill(3);
  await runSlice(owner, api);
  await enqueueRefresh(pool, owner, "subscriptions", ["any"]);
  await removeApiKey(pool, owner);
  await expect(countIndexedRecords(owner)).resolves.toBe(0);
  await expect(readSyncStatus(owner)).resolves.toBeUndefined();
  await enqueueRefresh(pool, owner, "subscriptions", ["any"]);
});

test("an older response never overwrites a newer one, and a record with overlapping responses is read again", async () => {
  fill(1);
  await runSlice(owner, api);
  const claimed = await acquireLeaseOf(owner);
  if (!claimed) throw new Error("nothing was claimed");
  const write = (status: string, asked_at: string) =>
    storeRows(
      pool,
      claimed,
      "subscriptions",
      rowsOf("subscriptions", [{ ...api.subscriptions[0], status }]),
      asked_at,
    );
  const status = async () =>
    Reflect.get((await indexedRecords(owner, "subscriptions"))[0] ?? {}, "status");
  const first = await readClock(pool);
  const second = await readClock(pool);
  await write("due", second);
  await write("cancelled", first);
  // Both requests overlapped.
  expect(await status()).toBe("due");
  await expect(readSyncStatus(owner)).resolves.toMatchObject({ hints: 1 });
  await write("inactive", await readClock(pool));
  expect(await status()).toBe("inactive");
  await expect(readSyncStatus(owner)).resolves.toMatchObject({ hints: 1 });
});

test("texts that PostgreSQL cannot store do not stop the sync of a page", async () => {
  const name = `Half \ud800 a \0 pair ${"long ".repeat(2_000)}`;
  const made = api.create({ status: "s".repeat(500), next_billing_cycle: "someday" });
  made.client.full_name = name;
  made.product.price = "free";
  await runSlice(owner, api);
  await expect(indexedRecords(owner, "subscriptions")).resolves.toMatchObject([
    { subscription_id: made.subscription_id, next_billing_cycle: "someday" },
  ]);
});
