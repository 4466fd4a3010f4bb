import { expect, test } from "vitest";
import { ReceivedProductPage } from "#contract/products.ts";
import { parseProductSearch, productPath, productsPath } from "./search.ts";
import { searchProducts } from "./search-products.ts";

const scope = { seller: "0a1b2c3d4e", mode: "test" } as const;
const { results: products } = ReceivedProductPage.parse({
  results: [
    {
      product_id: "prd_1",
      name: "Café Crème",
      plan: [{ plan_id: "1", plan_name: "Family", billing_periods: [{ pbp_id: "pbp_Milk" }] }],
    },
    { product_id: "prd_2", name: "काठमाडौँ तरकारी ४ किलो" },
    { product_id: "prd_3", name: "पढ़ाइ" },
  ],
});

test("a product with exactly the searched name comes first, then names that begin with the search", () => {
  const shop = ["Gym 20 Night", "The Gym 20", "Gym 30 – 20", "Gym 20"].map((name, at) => ({
    product_id: `prd_20_${at}`,
    name,
    plan: [],
  }));
  const found = (q: string) => searchProducts(shop, q).map(({ name }) => name);
  expect(found("gym 20")).toEqual(["Gym 20", "Gym 20 Night", "The Gym 20", "Gym 30 – 20"]);
  // Only this product contains both words.
  expect(found("Gym 30")[0]).toBe("Gym 30 – 20");
});

test.each([
  ["", ["prd_1", "prd_2", "prd_3"]],
  ["  ", ["prd_1", "prd_2", "prd_3"]],
  ["CAFE creme", ["prd_1"]],
  ["crème", ["prd_1"]],
  ["family cafe", ["prd_1"]],
  ["cafe window", []],
  ["family", ["prd_1"]],
  ["pbp_milk", ["prd_1"]],
  ["काठमाडौं", ["prd_2"]],
  ["4 किलो", ["prd_2"]],
  ["पढाइ", ["prd_3"]],
  ["PRD_2", ["prd_2"]],
])("a search for %o finds %o", (q, ids) => {
  expect(searchProducts(products, q).map(({ product_id }) => product_id)).toEqual(ids);
});

test("the URL of the product list is parsed to the same search", () => {
  const search = { page: 2, page_size: 50, q: "तरकारी & more", sale: null };
  const { searchParams } = new URL(productsPath(scope, search), "http://here.invalid");
  expect(parseProductSearch(searchParams)).toEqual(search);
  expect(productsPath(scope, { page: 1, q: null })).toBe("/0a1b2c3d4e/test/products");
  expect(productPath(scope, "a/b")).toBe("/0a1b2c3d4e/test/products/a%2Fb");
});

test.each([{}, { q: ["a", "b"] }, { q: "  " }])(
  "the search text is empty for the unreadable parameters %o",
  (given) => {
    expect(parseProductSearch(given).q).toBeNull();
  },
);
