import { expect, test } from "vitest";
import {
  daysFromNow,
  dueSubscription,
  ALL_ROWS,
  storeContact,
  buyerNamesOf,
  queueParameters,
  storeReceivedDelivery,
  createActor,
} from "#tools/testing/fixtures/collection-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createIndexedSeller, storeRecords } from "#tools/testing/fixtures/records-fixture.ts";
import { hasRecentlyPaid, readFailedAt, readRecentlyPaid } from "./payments-store.ts";
import { readQueueCounts, readQueue } from "./queue-store.ts";

useDashboardDatabase();

test("a failed payment is reported until the buyer pays", async () => {
  const record = dueSubscription(1, "Asha");
  const owner = await createIndexedSeller(pool, { subscriptions: [record] });
  const { subscription_id } = record;
  const tell = (event: string) => storeReceivedDelivery(owner, subscription_id, { event });
  await tell("checkout.failed");
  expect(await readFailedAt(pool, owner, subscription_id)).toEqual(expect.any(String));
  await tell("checkout.succeeded");
  expect(await readFailedAt(pool, owner, subscription_id)).toBeNull();
  await tell("checkout.failed");
  expect(await readFailedAt(pool, owner, subscription_id)).toEqual(expect.any(String));
  await storeRecords(pool, owner, {
    subscriptions: [{ ...record, status: "active", current_period_start: daysFromNow(0) }],
  });
  expect(await readFailedAt(pool, owner, subscription_id)).toBeNull();
});

test("a failed payment is reported for two weeks, but a forged or example delivery is not", async () => {
  const record = dueSubscription(1, "Asha");
  const owner = await createIndexedSeller(pool, { subscriptions: [record] });
  const failedAt = () => readFailedAt(pool, owner, record.subscription_id);
  await storeReceivedDelivery(owner, record.subscription_id, { verdict: "forged" });
  await storeReceivedDelivery(owner, record.subscription_id, { reason: "example" });
  await storeReceivedDelivery(owner, record.subscription_id, { days: 15 });
  expect(await failedAt()).toBeNull();
  await storeReceivedDelivery(owner, record.subscription_id, { days: 10 });
  expect(await failedAt()).toEqual(expect.any(String));
});

test("a failed payment is not reported if a later payment is already known", async () => {
  const record = dueSubscription(1, "Asha");
  const owner = await createIndexedSeller(pool, { subscriptions: [record] });
  const failedAt = () => readFailedAt(pool, owner, record.subscription_id);
  await storeReceivedDelivery(owner, record.subscription_id, {
    event: "checkout.succeeded",
    days: 1,
  });
  await storeReceivedDelivery(owner, record.subscription_id, { days: 2 });
  expect(await failedAt()).toBeNull();
  await storeReceivedDelivery(owner, record.subscription_id, { days: 0 });
  const last = await failedAt();
  await storeReceivedDelivery(owner, record.subscription_id, { days: 3 });
  expect(await failedAt()).toBe(last);
});

test("a buyer who paid less than a day ago is neither listed nor counted in the collection queue", async () => {
  const record = dueSubscription(1, "Asha");
  const owner = await createIndexedSeller(pool, { subscriptions: [record] });
  const asked = queueParameters(await createActor(owner));
  const stands = async () => ({
    hasPaid: await hasRecentlyPaid(pool, owner, record.subscription_id),
    paid: [...(await readRecentlyPaid(pool, owner))],
    queue: buyerNamesOf(await readQueue(pool, owner, asked, ALL_ROWS)),
    counted: (await readQueueCounts(pool, owner, asked)).map(({ count }) => count),
  });
  expect(await stands()).toEqual({ hasPaid: false, paid: [], queue: ["Asha"], counted: [1] });
  await storeRecords(pool, owner, {
    subscriptions: [
      {
        ...record,
        status: "active",
        is_active: true,
        current_period_start: daysFromNow(0),
        next_billing_cycle: daysFromNow(7),
      },
    ],
  });
  const paid = [record.subscription_id];
  expect(await stands()).toEqual({ hasPaid: true, paid, queue: [], counted: [] });
  await pool.query(
    "update mirror_change set seen_at = now() - interval '25 hours' where seller_id = $1",
    [owner.seller_id],
  );
  expect(await stands()).toEqual({ hasPaid: false, paid: [], queue: ["Asha"], counted: [1] });
});

test("buyers who are assigned to a former member are listed as unassigned", async () => {
  const record = dueSubscription(1, "Asha");
  const owner = await createIndexedSeller(pool, { subscriptions: [record] });
  const [worker, colleague] = [await createActor(owner), await createActor(owner)];
  await storeContact(worker, record, {
    kind: "assign",
    channel: null,
    detail: { assigned_to: colleague.person_id, assigned_name: "Sita" },
  });
  const asked = queueParameters(worker);
  const nobodys = async () =>
    buyerNamesOf(
      await readQueue(
        pool,
        owner,
        { ...asked, search: { ...asked.search, whose: "nobody" } },
        ALL_ROWS,
      ),
    );
  const whose = async () =>
    (await readQueueCounts(pool, owner, asked)).map((cell) => cell.whose);
  expect(await nobodys()).toEqual([]);
  expect(await whose()).toEqual(["others"]);
  await pool.query("delete from membership where user_id = $1", [colleague.person_id]);
  expect(await nobodys()).toEqual(["Asha"]);
  expect(await whose()).toEqual(["nobody"]);
});
