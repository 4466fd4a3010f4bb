import { expect, test } from "vitest";
import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import {
  ALL_SUBSCRIPTIONS,
  parseCreated,
  createdParameter,
  isSupportedByApi,
  nextSort,
  parseSubscriptionSearch,
  STATUS_FILTERS,
  subscriptionQueryString,
  subscriptionsPath,
} from "./search.ts";

const scope = { seller: "0a1b2c3d4e", mode: "test" } as const;

test("the subscription list has a tab for every status of the API contract", () => {
  expect([...STATUS_FILTERS].sort()).toEqual([...SUBSCRIPTION_STATUSES].sort());
});

test("the URL of a subscription list is parsed back to the same filters, order and page", () => {
  const search = parseSubscriptionSearch({
    status: "due",
    product: " Milk ",
    next_to: "2026-12-01",
    price_from: "1,500.50",
    sort: "-next_billing",
    page: "2",
    page_size: "50",
  });
  const path = subscriptionsPath(scope, search);
  expect(path).toBe(
    "/0a1b2c3d4e/test/subscriptions?status=due&product=Milk&next_to=2026-12-01&price_from=1500.50&sort=-next_billing&page=2&page_size=50",
  );
  expect(parseSubscriptionSearch(new URL(path, "http://here.invalid").searchParams)).toEqual(
    search,
  );
});

test("the URL of the unfiltered subscription list has no parameters", () => {
  expect(subscriptionsPath(scope, ALL_SUBSCRIPTIONS)).toBe("/0a1b2c3d4e/test/subscriptions");
});

test.each([
  { status: "gone", page: "0", page_size: "101" },
  { status: ["due", "active"], page: "-1", page_size: "" },
  { status: "DUE", page: "1e3", page_size: "20.5" },
  { status: undefined, page: "99999999999", page_size: "0x20" },
  { status: "__proto__", page: "+2", page_size: "NaN" },
  { status: "paid", next_from: "2026-02-30", price_from: "-1", price_to: "1e5" },
  { sort: "-colour", product: " " },
])("invalid parameters of the list's URL are ignored: %o", (parameters) => {
  expect(parseSubscriptionSearch(parameters)).toEqual(ALL_SUBSCRIPTIONS);
});

test("a submitted filter form gives the URL of the first page, without empty filters", () => {
  const form = new FormData();
  form.set("plan", "Gold");
  form.set("price_to", "");
  expect(subscriptionQueryString(parseSubscriptionSearch(form))).toBe("?plan=Gold");
});

test("the API supports a status and a page, and no other filter or sort", () => {
  const isSupported = (parameters: Record<string, string>) =>
    isSupportedByApi(parseSubscriptionSearch(parameters));
  expect(isSupported({ status: "due", page: "3" })).toBe(true);
  expect(isSupported({ plan: "Gold" })).toBe(false);
  expect(isSupported({ sort: "price" })).toBe(false);
});

test("clicking a column sorts ascending, then descending, then in the default order", () => {
  expect(nextSort(null, "price")).toBe("price");
  expect(nextSort("-buyer", "price")).toBe("price");
  expect(nextSort("price", "price")).toBe("-price");
  expect(nextSort("-price", "price")).toBeNull();
});

test("a URL parameter says whether creating a subscription reused an unpaid one, or that this is unknown", () => {
  expect([false, true, null].map(createdParameter)).toEqual(["1", "reused", "unsure"]);
  expect(["1", "reused", "unsure", "2", "", null].map(parseCreated)).toEqual([
    "1",
    "reused",
    "unsure",
    null,
    null,
    null,
  ]);
});
