import { expect, test } from "vitest";
import { SUBSCRIPTION_STATUSES } from "#contract/subscription-statuses.ts";
import {
  asCreated,
  createdMark,
  parseSubscriptionSearch,
  STATUSES,
  subscriptionsPath,
} from "./search.ts";

const scope = { seller: "0a1b2c3d4e", mode: "test" } as const;
const everything = { status: null, page: 1, page_size: 20 };

test("every status of the contract has its filter", () => {
  expect([...STATUSES].sort()).toEqual([...SUBSCRIPTION_STATUSES].sort());
});

test("an address and its state are each other's inverse", () => {
  const search = { status: "due", page: 3, page_size: 50 } as const;
  const path = subscriptionsPath(scope, search);
  expect(path).toBe("/0a1b2c3d4e/test/subscriptions?status=due&page=3&page_size=50");
  expect(parseSubscriptionSearch(new URL(path, "http://here.invalid").searchParams)).toEqual(
    search,
  );
});

test("defaults are left out, so that one view has one address", () => {
  expect(subscriptionsPath(scope, everything)).toBe("/0a1b2c3d4e/test/subscriptions");
});

test.each([
  { status: "gone", page: "0", page_size: "101" },
  { status: ["due", "active"], page: "-1", page_size: "" },
  { status: "DUE", page: "1e3", page_size: "20.5" },
  { status: undefined, page: "99999999999", page_size: "0x20" },
  { status: "__proto__", page: " 2", page_size: "NaN" },
])("falls back for what cannot be read: %o", (parameters) => {
  expect(parseSubscriptionSearch(parameters)).toEqual(everything);
});

test("a record that was asked for is told as new, taken again, or neither where nobody can say", () => {
  expect([false, true, null].map(createdMark)).toEqual(["1", "reused", "unsure"]);
  expect(["1", "reused", "unsure", "2", "", null].map(asCreated)).toEqual([
    "1",
    "reused",
    "unsure",
    null,
    null,
    null,
  ]);
});
