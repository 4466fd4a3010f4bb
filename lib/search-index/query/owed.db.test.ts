import { expect, test } from "vitest";
import type { Product } from "#contract/products.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeProduct,
  storeRecords,
} from "#tools/testing/fixtures/records-fixture.ts";
import { readClock } from "#lib/db/pool.ts";
import { removeRow, removeUnseenRows } from "#lib/search-index/sync/store.ts";
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

test("while the index fills, listed amounts are read from the API instead", async () => {
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

test("the product list of the API is cached for a short time for each seller and mode", async () => {
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

test("the price of a billing period stays known after another billing period has replaced it", async () => {
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

test("prices of a product that went off sale are kept until the product is listed again", async () => {
  const other = { ...makeProduct({ pbp_id: "pbp-3" }), product_id: "other" };
  const owner = await createIndexedSeller(pool, { products: [other] });
  const { billing } = listing(listed);
  const amounts = () => readAmounts(pool, { owner, billing }, DAY);
  const askedInSql = async () => {
    const { rows } = await pool.query<{ pbp_id: string; amount: string; later: string }>(
      `select pbp_id, amount::text,
              amount_asked($1, $2, pbp_id, price, currency, '2026-11-25T06:00:00Z')::text as later
         from amounts_asked($1, $2, $3::date) order by pbp_id`,
      [owner.seller_id, owner.mode, DAY],
    );
    return rows;
  };
  await storeRecords(pool, owner, { products: [listed] });
  const before = await askedInSql();
  expect(before).toEqual([
    { pbp_id: "pbp-2", amount: "339.00", later: "565.00" },
    { pbp_id: "pbp-3", amount: "565.00", later: "565.00" },
  ]);
  await removeRow(pool, owner, "products", listed.product_id, await readClock(pool));
  expect(await amounts()).toMatchObject({ "pbp-2": { amount: "339.00" } });
  expect(await askedInSql()).toEqual(before);
  await removeUnseenRows(pool, owner, "products", await readClock(pool));
  expect(await amounts()).toMatchObject({
    "pbp-2": { amount: "339.00" },
    "pbp-3": { amount: "565.00" },
  });
  expect(await askedInSql()).toEqual(before);

  const dearer = makeProduct({ pbp_id: "pbp-2", price: "600.00" });
  await storeRecords(pool, owner, { products: [dearer] });
  expect(await amounts()).toMatchObject({ "pbp-2": { amount: "678.00" } });
  expect(await askedInSql()).toMatchObject([
    { pbp_id: "pbp-2", amount: "678.00", later: "678.00" },
    { pbp_id: "pbp-3", amount: "565.00" },
  ]);

  await pool.query("select clear_mirror($1, $2)", [owner.seller_id, owner.mode]);
  expect(await askedInSql()).toEqual([]);
});
