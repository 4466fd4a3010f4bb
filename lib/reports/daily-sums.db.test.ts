import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { readClock } from "#lib/db/pool.ts";
import { readReportOf } from "./read-report.ts";
import { parseReportSearch, REPORTS } from "./search.ts";
import { storeReceivedDelivery } from "#tools/testing/fixtures/collection-fixture.ts";
import {
  createIndexedSeller,
  makeProduct,
  makeSubscription,
  storeRecords,
} from "#tools/testing/fixtures/records-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { untilBlocked } from "#tools/testing/database.ts";
import { keepDailySums, sumEverything } from "#lib/search-index/sync/daily-sums.ts";
import { recordSeenPayments, removeRow } from "#lib/search-index/sync/store.ts";

useDashboardDatabase();

const DAY_MS = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const inDays = (days: number | null) => (days === null ? null : daysFromNow(days));

const record = fc.record({
  id: fc.integer({ min: 1, max: 6 }),
  status: fc.constantFrom(
    "pending_checkout",
    "active",
    "due",
    "pending_cancellation",
    "inactive",
  ),
  start: fc.constantFrom(null, -60, -31, -1),
  next: fc.constantFrom(null, -3, 0, 20),
  price: fc.constantFrom("100.00", "0.01", "free"),
  product: fc.constantFrom("milk", "ghee"),
  pbp_id: fc.constantFrom("monthly", "once"),
});
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("store" as const),
      rows: fc.array(record, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("pay" as const),
      id: fc.integer({ min: 1, max: 7 }),
    }),
  },
  fc.record({ kind: fc.constant("remove" as const), id: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constant("settle" as const) }),
  fc.record({ kind: fc.constant("fold" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const idOf = (id: number) => `sub-${id}`;
const subscriptionOf = ({
  id,
  status,
  start,
  next,
  price,
  product,
  pbp_id,
}: typeof record extends fc.Arbitrary<infer Value> ? Value : never) =>
  makeSubscription({
    subscription_id: idOf(id),
    status: status as Subscription["status"],
    created_at: daysFromNow(-40 - id),
    current_period_start: inDays(start),
    current_period_end: inDays(next),
    next_billing_cycle: inDays(next),
    product: { product_id: product, name: product, price, pbp_id },
  });

async function take(owner: KeyOwner, one: Step) {
  if (one.kind === "store")
    await storeRecords(pool, owner, { subscriptions: one.rows.map(subscriptionOf) });
  else if (one.kind === "remove")
    await removeRow(pool, owner, "subscriptions", idOf(one.id), await readClock(pool));
  else if (one.kind === "pay")
    await storeReceivedDelivery(owner, idOf(one.id), { event: "checkout.succeeded" });
  else if (one.kind === "settle") await recordSeenPayments(pool, owner);
  else await pool.query("select fold_sums($1, $2)", [owner.seller_id, owner.mode]);
}

async function readReports(owner: KeyOwner) {
  const now = new Date().toISOString();
  const searches = [{}, { product: "milk" }].map((search) => parseReportSearch(search));
  const reports: unknown[] = [];
  for (const search of searches)
    for (const name of REPORTS) {
      const question = { search, time_zone: "Asia/Kathmandu", now };
      const read = await readReportOf(pool, owner, name, question);
      if (read.state !== "ready") throw new Error(read.state);
      reports.push([name, read.figure]);
    }
  return reports;
}

test("daily sums kept during random changes, payments and deletions equal sums made from all rows", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 25, size: "max" }),
      async (steps) => {
        const owner = await createIndexedSeller(pool, {
          products: [makeProduct({ pbp_id: "once", interval_type: "one_time" })],
        });
        for (const one of steps) await take(owner, one);
        const kept = await readReports(owner);
        await sumEverything(pool, owner, "Asia/Kathmandu");
        expect(kept).toEqual(await readReports(owner));
      },
    ),
    { numRuns: 12 },
  );
});

test("two payments whose amounts become known in one SQL statement are each counted once", async () => {
  const owner = await createIndexedSeller(pool);
  await storeReceivedDelivery(owner, idOf(1), { event: "checkout.succeeded" });
  await storeReceivedDelivery(owner, idOf(1), { event: "checkout.succeeded" });
  await storeRecords(pool, owner, {
    subscriptions: [makeSubscription({ subscription_id: idOf(1) })],
  });
  const kept = await readReports(owner);
  await sumEverything(pool, owner, "Asia/Kathmandu");
  expect(kept).toEqual(await readReports(owner));
});

test("a row that is written while all daily sums are rebuilt is counted once", async () => {
  const owner = await createIndexedSeller(pool, {
    subscriptions: Array.from({ length: 200 }, () => makeSubscription()),
  });
  const writing = Array.from({ length: 20 }, (_, at) =>
    storeRecords(pool, owner, {
      subscriptions: Array.from({ length: 5 }, (_none, other) =>
        makeSubscription({ subscription_id: idOf(at * 5 + other), status: "due" }),
      ),
    }),
  );
  await Promise.all([...writing, sumEverything(pool, owner, "Asia/Kathmandu")]);
  const kept = await readReports(owner);
  await sumEverything(pool, owner, "Asia/Kathmandu");
  expect(kept).toEqual(await readReports(owner));
});

test("after a change of time zone, reports wait until the daily sums are rebuilt in the new time zone", async () => {
  const owner = await createIndexedSeller(pool, { subscriptions: [makeSubscription()] });
  const read = async () => {
    const search = parseReportSearch({});
    const now = new Date().toISOString();
    const question = { search, time_zone: "America/New_York", now };
    return (await readReportOf(pool, owner, "subscribers", question)).state;
  };
  await pool.query("update seller set time_zone = 'America/New_York' where id = $1", [
    owner.seller_id,
  ]);
  expect(await read()).toBe("filling");
  await keepDailySums(pool, owner);
  expect(await read()).toBe("ready");
});

test("while one worker rebuilds the daily sums, a second worker does not start another rebuild", async () => {
  const owner = await createIndexedSeller(pool, { subscriptions: [makeSubscription()] });
  const whose = [owner.seller_id, owner.mode];
  await pool.query(
    "update mirror_sums set is_ready = false where seller_id = $1 and mode = $2",
    whose,
  );
  const reader = await pool.connect();
  await reader.query("begin");
  await reader.query(
    "select from mirror_sum where seller_id = $1 and mode = $2 for update",
    whose,
  );
  const first = keepDailySums(pool, owner);
  await untilBlocked(pool, 1, "%sum_everything%");
  const second = keepDailySums(pool, owner);
  await expect(second).resolves.toBeUndefined();
  await reader.query("commit");
  reader.release();
  await first;
});
