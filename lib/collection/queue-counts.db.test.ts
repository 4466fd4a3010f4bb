import { expect, test } from "vitest";
import {
  daysFromNow,
  dueSubscription,
  storeKeptDebt,
  queueParameters,
  createActor,
} from "#tools/testing/fixtures/collection-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeProduct,
  makeSubscription,
} from "#tools/testing/fixtures/records-fixture.ts";
import { readQueueCounts } from "./queue-store.ts";
import { sumCounts } from "./queue-counts.ts";

useDashboardDatabase();

test("sums of the collection queue per currency include kept debts, and are marked if they contain list prices", async () => {
  const listed = makeProduct();
  const { product } = makeSubscription();
  const records = [
    dueSubscription(3, "Listed"),
    dueSubscription(3, "No more", { product: { ...product, pbp_id: "gone" } }),
    dueSubscription(3, "Dollars", { product: { ...product, currency: "USD" } }),
  ];
  const owner = await createIndexedSeller(pool, { subscriptions: records, products: [listed] });
  const worker = await createActor(owner);
  const asked = queueParameters(worker);
  const summed = async () =>
    sumCounts(await readQueueCounts(pool, owner, asked), asked.search).amounts.map(
      ({ amount, ...sum }) => ({ ...sum, amount: Number(amount) }),
    );
  expect(await summed()).toEqual([
    { currency: "NPR", amount: 1_065, is_list_price: true },
    { currency: "USD", amount: 500, is_list_price: true },
  ]);
  const [first, , last] = records;
  for (const record of [first, last])
    if (record)
      await storeKeptDebt(worker, record, { cycle: daysFromNow(-40), since: "2026-11-01" });
  // The dollar subscription also has a debt of NPR 650 and stays one buyer.
  expect(await summed()).toEqual([
    { currency: "NPR", amount: 2_365, is_list_price: true },
    { currency: "USD", amount: 500, is_list_price: true },
  ]);
  expect(sumCounts(await readQueueCounts(pool, owner, asked), asked.search).groups.all).toBe(3);
});
