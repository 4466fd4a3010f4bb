import { expect, test } from "vitest";
import type { Product } from "#contract/products.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeProduct,
  storeRecords,
} from "#tools/testing/fixtures/records-fixture.ts";
import { readAmounts } from "./owed.ts";

useDashboardDatabase();

const DAY = "2026-11-24";
const offers = [{ discount_amount: 200, starts_at: DAY, valid_until: DAY }];
const listed = makeProduct({ pbp_id: "pbp-2", offers });

/** A fake API that lists the product and counts its calls. */
function listing(product: Product) {
  const asked = { pages: 0, isAway: false };
  const listProducts = async () => {
    asked.pages += 1;
    if (asked.isAway) throw new Error("away");
    return { count: 1, next: null, previous: null, results: [product] };
  };
  return { asked, billing: { listProducts } };
}

test("reads listed amounts from the API while the index fills", async () => {
  const owner = await createIndexedSeller(pool, { products: [makeProduct()] });
  const { asked, billing } = listing(listed);
  expect(await readAmounts(pool, { owner, billing }, DAY)).toMatchObject({
    "pbp-1": { amount: "565.00" },
  });
  await pool.query("update mirror set filled_at = null where seller_id = $1", [
    owner.seller_id,
  ]);
  expect(await readAmounts(pool, { owner, billing }, DAY)).toEqual({
    "pbp-2": { price: "500.00", currency: "NPR", amount: "339.00" },
  });
  expect(asked.pages).toBe(1);
});

test("caches the API's list for a short time per seller and mode", async () => {
  const owner = await createIndexedSeller(pool);
  await pool.query("update mirror set filled_at = null where seller_id = $1", [
    owner.seller_id,
  ]);
  const { asked, billing } = listing(listed);
  const read = (day: string, now: number, mode: "test" | "live" = "test") =>
    readAmounts(pool, { owner: { ...owner, mode }, billing }, day, now);
  asked.isAway = true;
  await expect(read(DAY, 0)).rejects.toThrow("away");
  asked.isAway = false;
  expect(await read(DAY, 1)).toMatchObject({ "pbp-2": { amount: "339.00" } });
  expect(await read("2026-11-25", 2)).toMatchObject({ "pbp-2": { amount: "565.00" } });
  expect(asked.pages).toBe(2);
  await read(DAY, 3, "live");
  expect(asked.pages).toBe(3);
  await read(DAY, 60_000);
  expect(asked.pages).toBe(4);
});

test("keeps what a period asked once another price has taken its place", async () => {
  const owner = await createIndexedSeller(pool, { products: [makeProduct()] });
  const { billing } = listing(listed);
  await storeRecords(pool, owner, { products: [listed] });
  expect(await readAmounts(pool, { owner, billing }, DAY)).toMatchObject({
    "pbp-1": { amount: "565.00" },
    "pbp-2": { amount: "339.00" },
  });
  const dearer = makeProduct({ pbp_id: "pbp-2", price: "600.00" });
  await storeRecords(pool, owner, { products: [dearer] });
  expect(await readAmounts(pool, { owner, billing }, DAY)).toMatchObject({
    "pbp-1": { amount: "565.00" },
    "pbp-2": { amount: "678.00" },
  });
});
