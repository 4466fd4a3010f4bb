import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createIndexedSeller, makeProduct } from "#tools/testing/fixtures/records-fixture.ts";
import { addIndexed } from "./data.ts";

useDashboardDatabase();

test("products beyond the API's first page come from the search index once it is filled", async () => {
  const products = ["a", "b", "c"].map((product_id) => ({ ...makeProduct(), product_id }));
  const owner = await createIndexedSeller(pool, { products });
  const newest = ["d", "c"].map((product_id) => ({ ...makeProduct(), product_id }));
  const list = await addIndexed(pool, owner, newest);
  expect(list.products.map(({ product_id }) => product_id).slice(0, 2)).toEqual(["d", "c"]);
  expect(list.products.map(({ product_id }) => product_id).toSorted()).toEqual([
    "a",
    "b",
    "c",
    "d",
  ]);
  expect(list.is_complete).toBe(true);
  await pool.query("update mirror set filled_at = null where seller_id = $1", [
    owner.seller_id,
  ]);
  expect(await addIndexed(pool, owner, newest)).toEqual({
    products: newest,
    is_complete: false,
  });
});
