import { describe, expect, test } from "vitest";
import {
  deliveriesPath,
  deliveryPath,
  deliveryQueryString,
  examinePath,
  isUnfilteredDeliveries,
  parseDeliverySearch,
  parseExamineSearch,
} from "./search.ts";

const scope = { seller: "0123456789", mode: "test" } as const;
const whole = parseDeliverySearch({});
const full = {
  state: "failed",
  event: "checkout.failed",
  webhook: 12,
  subscription: "3f1b3b57-7a0c-4a52-9a2f-0d1c5a3f9d11",
  from: "2026-11-01",
  to: "2026-11-20",
  before: 99,
} as const;

describe("the URL of the delivery list", () => {
  test("is parsed back to the same filters", () => {
    const text = deliveryQueryString(full);
    expect(parseDeliverySearch(new URLSearchParams(text))).toEqual(full);
  });

  test("contains only the filters that are set", () => {
    expect(deliveriesPath(scope, whole)).toBe("/0123456789/test/settings/webhooks/deliveries");
    expect(deliveriesPath(scope, { ...whole, state: "failed" })).toMatch(/\?state=failed$/);
    expect(deliveryPath(scope, 7)).toMatch(/\/deliveries\/7$/);
  });

  test.each([
    { state: "lost" },
    { event: "refund.created" },
    { webhook: "0" },
    { webhook: "1e3" },
    { subscription: "x" },
    { from: "2026-02-30" },
    { to: "yesterday" },
    { before: "-1" },
    { state: ["failed", "pending"] },
  ])("gives the unfiltered list for the invalid filter %o", (given) => {
    expect(parseDeliverySearch(given)).toEqual(whole);
  });

  test("counts as unfiltered on every page unless a filter is set", () => {
    expect(isUnfilteredDeliveries({ ...whole, before: 5 })).toBe(true);
    expect(isUnfilteredDeliveries({ ...whole, state: "failed" })).toBe(false);
  });
});

test("the URL of the signature check names an attempt of a sent delivery, or a received delivery", () => {
  expect(parseExamineSearch({ delivery: "12", attempt: "3" })).toEqual({
    delivery: "12",
    attempt: 3,
    received: null,
  });
  expect(parseExamineSearch({ delivery: "../x", attempt: "0" })).toEqual({
    delivery: null,
    attempt: null,
    received: null,
  });
  expect(parseExamineSearch({ delivery: "12", received: "7" })).toEqual({
    delivery: null,
    attempt: null,
    received: "7",
  });
  expect(examinePath({ delivery: "12", attempt: 3 })).toBe(
    "/settings/webhooks/deliveries/examine?delivery=12&attempt=3",
  );
  expect(examinePath()).toBe("/settings/webhooks/deliveries/examine");
});
