import { describe, expect, test } from "vitest";
import {
  deliveriesPath,
  deliveryPath,
  deliveryQueryString,
  isWholeList,
  parseDeliverySearch,
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

describe("the address of the deliveries", () => {
  test("is read as it was written", () => {
    const text = deliveryQueryString(full);
    expect(parseDeliverySearch(new URLSearchParams(text))).toEqual(full);
  });

  test("bears only what narrows the list", () => {
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
  ])("with %o narrows nothing", (given) => {
    expect(parseDeliverySearch(given)).toEqual(whole);
  });

  test("is the whole list wherever it is looked at", () => {
    expect(isWholeList({ ...whole, before: 5 })).toBe(true);
    expect(isWholeList({ ...whole, state: "failed" })).toBe(false);
  });
});
