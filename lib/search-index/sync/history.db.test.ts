import { beforeEach, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { openConnection } from "#lib/billing/connection.ts";
import { ChangingService } from "#tools/testing/servers/changing-service.ts";
import {
  createIndexOwner,
  storeApiKey,
  TEST_KEYS,
  runSlice,
} from "#tools/testing/fixtures/search-index-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { enqueueRefresh, requestFullSync } from "./refresh-queue.ts";
import { applyObserved, restartIndex } from "./write-through.ts";

useDashboardDatabase();
let owner: KeyOwner;
let api: ChangingService;

beforeEach(async () => {
  owner = await createIndexOwner();
  api = new ChangingService();
  api.fill(9);
  await runSlice(owner, api);
});

interface ChangeRow {
  subscription_id: string;
  old_status: string;
  new_status: string;
  is_first_payment: boolean;
  is_renewal: boolean;
  is_lost: boolean;
  is_resumed: boolean;
}

async function changes(): Promise<ChangeRow[]> {
  const { rows } = await pool.query<ChangeRow>(
    "select * from mirror_change where seller_id = $1 and mode = $2 order by id",
    [owner.seller_id, owner.mode],
  );
  return rows;
}

const steps = async () =>
  (await changes()).map(
    ({ subscription_id, old_status, new_status }) =>
      `${subscription_id} ${old_status} ${new_status}`,
  );

/** Opens a record's page, whose answer is written through. */
async function openRecord(at: number) {
  const { context } = await openConnection(pool, owner, TEST_KEYS);
  const record = api.subscriptions[at];
  if (!context || !record) throw new Error("there is nothing to open");
  await applyObserved(
    pool,
    owner,
    { kind: "rows", list: "subscriptions", records: [record] },
    context,
  );
}

test("filling the index and reading unchanged records log no changes", async () => {
  await requestFullSync(pool, owner);
  await runSlice(owner, api);
  await openRecord(0);
  const client = api.subscriptions[2]?.client;
  // A new name changes the record but not the reports.
  if (client) api.change(2, { client: { ...client, full_name: "Renamed" } });
  await requestFullSync(pool, owner);
  await runSlice(owner, api);
  expect(await steps()).toEqual([]);
});

test("a change found by the refresh queue, an opened page or a full sync is logged once", async () => {
  const hinted = api.change(0, { status: "due" }) ?? "";
  await enqueueRefresh(pool, owner, "subscriptions", [hinted]);
  await runSlice(owner, api);
  const opened = api.change(1, { status: "pending_cancellation" });
  await openRecord(1);
  const found = api.change(8, { status: "cancelled" });
  for (const _again of [1, 2]) {
    await enqueueRefresh(pool, owner, "subscriptions", [hinted]);
    await requestFullSync(pool, owner);
    await runSlice(owner, api);
    await openRecord(1);
  }
  expect(await steps()).toEqual([
    `${hinted} active due`,
    `${opened} active pending_cancellation`,
    `${found} active cancelled`,
  ]);
});

test("refreshing an unchanged or an unknown record logs no change", async () => {
  await enqueueRefresh(pool, owner, "subscriptions", ["sub-3", "sub-nobody"]);
  await runSlice(owner, api);
  expect(await steps()).toEqual([]);
});

const moved = { next_billing_cycle: "2026-12-31T06:15:00Z" };
const renewed = { current_period_start: "2026-11-30T06:15:00Z", ...moved };

test.each([
  ["pending_checkout", "active", renewed, "is_first_payment"],
  ["pending_checkout", "active", {}, "is_first_payment"],
  ["active", "active", renewed, "is_renewal"],
  ["due", "active", renewed, "is_renewal"],
  ["active", "active", moved, null],
  ["due", "active", moved, null],
  ["active", "due", {}, null],
  ["pending_cancellation", "active", {}, "is_resumed"],
  ["due", "inactive", {}, "is_lost"],
  ["pending_cancellation", "cancelled", { next_billing_cycle: null }, "is_lost"],
  ["pending_checkout", "inactive", {}, null],
] as const)(
  "a status change from %s to %s with %o is recorded as %s",
  async (from, to, dates, meaning) => {
    const made = api.create({ status: from });
    await runSlice(owner, api);
    api.change(0, { status: to, ...dates });
    await enqueueRefresh(pool, owner, "subscriptions", [made.subscription_id]);
    await runSlice(owner, api);
    const [change] = await changes();
    const { is_first_payment, is_renewal, is_lost, is_resumed } = change ?? {};
    const flags = { is_first_payment, is_renewal, is_lost, is_resumed };
    const meant = Object.entries(flags).filter(([, is]) => is);
    expect(meant.map(([name]) => name)).toEqual(meaning === null ? [] : [meaning]);
  },
);

test("a change from due to active is a payment if the service gives no period start", async () => {
  const made = api.create({ status: "due", current_period_start: null });
  await runSlice(owner, api);
  api.change(0, { status: "active", ...moved });
  await enqueueRefresh(pool, owner, "subscriptions", [made.subscription_id]);
  await runSlice(owner, api);
  expect(await changes()).toMatchObject([{ is_renewal: true }]);
});

test.each([
  ["another key", () => storeApiKey(owner, "sk_test_second")],
  ["restarting the index", () => restartIndex(pool, owner)],
  [
    "the removal of the record from the API",
    async () => {
      api.remove(0);
      await enqueueRefresh(pool, owner, "subscriptions", ["sub-9"]);
      await runSlice(owner, api);
    },
  ],
])("the logged changes of a subscription are deleted by: %s", async (_name, happen) => {
  api.change(0, { status: "due" });
  await enqueueRefresh(pool, owner, "subscriptions", ["sub-9"]);
  await runSlice(owner, api);
  expect(await changes()).toHaveLength(1);
  await happen();
  expect(await changes()).toEqual([]);
});

/** The columns that reports read, of either table. */
async function counted(table: "mirror_counted" | "mirror_subscription") {
  const { rows } = await pool.query(
    `select id, status, price, currency, pbp_id, product_id, product_name, plan_name,
            current_period_start, current_period_end, next_billing_cycle, created_at, first_seen_at
       from ${table} where seller_id = $1 and mode = $2 order by id`,
    [owner.seller_id, owner.mode],
  );
  return rows;
}

test.each<[string, () => unknown, number]>([
  [
    "a queued refresh",
    async () => {
      const hinted = api.change(0, { status: "due", current_period_end: null }) ?? "";
      await enqueueRefresh(pool, owner, "subscriptions", [hinted]);
      await runSlice(owner, api);
    },
    9,
  ],
  [
    "a user's read",
    async () => {
      api.change(1, renewed);
      await openRecord(1);
    },
    9,
  ],
  [
    "a full sync that finds a renamed product and a new one",
    async () => {
      const product = api.subscriptions[2]?.product;
      if (product) api.change(2, { product: { ...product, name: "Renamed", price: "7.50" } });
      api.create({ status: "pending_checkout" });
      await requestFullSync(pool, owner);
      await runSlice(owner, api);
    },
    10,
  ],
  [
    "the removal of its record",
    async () => {
      api.remove(0);
      await enqueueRefresh(pool, owner, "subscriptions", ["sub-9"]);
      await runSlice(owner, api);
    },
    8,
  ],
  ["restarting the index", () => restartIndex(pool, owner), 0],
])("counts match the index before and after %s", async (_name, happen, rows) => {
  const filled = await counted("mirror_subscription");
  expect(await counted("mirror_counted")).toEqual(filled);
  await happen();
  const indexedRecords = await counted("mirror_subscription");
  expect(indexedRecords).toHaveLength(rows);
  expect(indexedRecords).not.toEqual(filled);
  expect(await counted("mirror_counted")).toEqual(indexedRecords);
});
