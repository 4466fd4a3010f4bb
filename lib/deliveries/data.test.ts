import { expect, test } from "vitest";
import { deliveryFilter } from "./data.ts";
import { parseDeliverySearch, DELIVERY_STATES } from "./search.ts";

const askedFor = (address: Record<string, string>) =>
  deliveryFilter(parseDeliverySearch(address), "Asia/Kathmandu");

test("the delivery list hides skipped deliveries unless the state filter selects them", () => {
  expect(askedFor({})).toMatchObject({ state: null, skipped: "false" });
  expect(askedFor({ webhook: "7" })).toMatchObject({ webhook_id: 7, skipped: "false" });
  expect(askedFor({ state: "skipped" })).toMatchObject({ state: "skipped", skipped: null });
});

test("the delivery list can be filtered by each state, including retrying", () => {
  expect(DELIVERY_STATES).toContain("retrying");
  for (const state of DELIVERY_STATES) expect(askedFor({ state })).toMatchObject({ state });
});

test("the delivery list's date filter covers whole days in the seller's time zone", () => {
  expect(askedFor({ from: "2026-11-20", to: "2026-11-20" })).toMatchObject({
    created_from: "2026-11-19T18:15:00.000Z",
    created_to: "2026-11-20T18:14:59.999Z",
  });
});
