import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createIndexedSeller, makeProduct } from "#tools/testing/fixtures/records-fixture.ts";
import {
  findIndexedProduct,
  searchIndexedProducts,
} from "#lib/search-index/query/search-records.ts";
import { addIndexedProducts } from "./data.ts";

useDashboardDatabase();

test("products beyond the API's first page come from the search index once it is filled", async () => {
  const products = ["a", "b", "c"].map((product_id) => ({ ...makeProduct(), product_id }));
  const owner = await createIndexedSeller(pool, { products });
  const newest = ["d", "c"].map((product_id) => ({ ...makeProduct(), product_id }));
  const list = await addIndexedProducts(pool, owner, newest);
  const ids = list.products.map(({ product_id }) => product_id);
  expect(ids.slice(0, 2)).toEqual(["d", "c"]);
  expect(ids.toSorted()).toEqual(["a", "b", "c", "d"]);
  expect(list.is_complete).toBe(true);
  expect(await findIndexedProduct(pool, owner, "b")).toMatchObject({
    results: [{ product_id: "b" }],
  });
  expect(await findIndexedProduct(pool, owner, "d")).toMatchObject({ results: [] });
  await pool.query("update mirror set filled_at = null where seller_id = $1", [
    owner.seller_id,
  ]);
  expect(await addIndexedProducts(pool, owner, newest)).toEqual({
    products: newest,
    is_complete: false,
  });
});

test("the index finds a product by any of its texts and lists the best matches of the name first", async () => {
  const [plan] = makeProduct().plan;
  const [period] = plan?.billing_periods ?? [];
  if (!plan || !period) throw new Error("the product has no period");
  const family = {
    plan_id: "pln_1",
    plan_name: "Family",
    description: "Two litres",
    billing_periods: [{ ...period, pbp_id: "pbp_Milk", label: "Weekly" }],
  };
  const named = [
    { name: "Gym 20", plan: [] },
    { name: "Café Crème", description: "Fresh at the door", plan: [family] },
    { name: "काठमाडौँ तरकारी ४ किलो", plan: [] },
    { name: "पढ़ाइ", description: "after the gym 20", plan: [] },
    { name: "The Gym 20", plan: [] },
    { name: "Gym 20 Night", plan: [] },
    { name: "Thé & Savon", plan: [] },
    { name: "Le thé & savon", plan: [] },
  ];
  const products = named.map((product, at) => ({
    ...makeProduct(),
    description: "",
    product_id: `prd_${at}`,
    ...product,
  }));
  const owner = await createIndexedSeller(pool, { products });
  const found = async (text: string) => {
    const paging = { page: 1, page_size: 20 };
    const answer = await searchIndexedProducts(pool, owner, text, paging);
    return answer.state === "ready" ? answer.results.map(({ name }) => name) : [];
  };
  expect(await found("gym 20")).toEqual(["Gym 20", "Gym 20 Night", "The Gym 20", "पढ़ाइ"]);
  expect(await found(" THÉ  & savon")).toEqual(["Thé & Savon", "Le thé & savon"]);
  const texts = ["CAFE creme", "crème", "door cafe", "family", "litres", "weekly", "pbp_milk"];
  for (const text of texts) expect(await found(text), text).toEqual(["Café Crème"]);
  expect(await found("काठमाडौं 4")).toEqual(["काठमाडौँ तरकारी ४ किलो"]);
  expect(await found("cafe window")).toEqual([]);
});
