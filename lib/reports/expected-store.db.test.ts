import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeProduct,
  makeSubscription,
} from "#tools/testing/fixtures/records-fixture.ts";
import { readReportOf } from "./read-report.ts";
import { parseReportSearch } from "./search.ts";

useDashboardDatabase();

const now = "2026-11-22T06:00:00Z";
const asked = { search: parseReportSearch({}), time_zone: "Asia/Kathmandu", now };

/**
 * The checkout amount is 339.00 during the offer and 565.00 otherwise, for a price of 500.00 with
 * VAT.
 */
const offers = [{ discount_amount: 200, starts_at: "2026-11-20", valid_until: "2026-12-22" }];
const bills = (day: string, more: Parameters<typeof makeSubscription>[0] = {}) =>
  makeSubscription({
    current_period_start: `${day}T06:00:00Z`,
    current_period_end: `${day}T06:00:00Z`,
    next_billing_cycle: `${day}T06:00:00Z`,
    ...more,
  });

test("every expected payment has the checkout price of its billing date", async () => {
  const owner = await createIndexedSeller(pool, {
    products: [makeProduct({ offers })],
    subscriptions: [
      // 22 December is within the offer, 22 January is not.
      bills("2026-12-22"),
      bills("2026-12-01", { product: { currency: "USD", price: "9.00" } }),
    ],
  });
  const read = await readReportOf(pool, owner, "expected", asked);
  if (read.state !== "ready") throw new Error(read.state);
  expect(read.figure.horizons.map(({ currencies }) => currencies)).toEqual([
    [{ currency: "USD", count: 1, amount: "9.00", is_list_price: true, likely: null }],
    [
      { currency: "NPR", count: 1, amount: "339.00", is_list_price: false, likely: null },
      { currency: "USD", count: 2, amount: "18.00", is_list_price: true, likely: null },
    ],
    [
      { currency: "NPR", count: 2, amount: "904.00", is_list_price: false, likely: null },
      { currency: "USD", count: 3, amount: "27.00", is_list_price: true, likely: null },
    ],
  ]);
});

test("amounts owed are summed by currency, marked if they contain list prices, and respect offers", async () => {
  const due = { status: "due" } as const;
  const owner = await createIndexedSeller(pool, {
    products: [makeProduct({ offers })],
    subscriptions: [
      bills("2026-11-21", due),
      bills("2026-11-21", { ...due, product: { pbp_id: "gone" } }),
      bills("2026-11-21", { ...due, product: { pbp_id: "gone", currency: "USD" } }),
    ],
  });
  const owedOn = async (service_now: string) => {
    const read = await readReportOf(pool, owner, "owed", { ...asked, service_now });
    if (read.state !== "ready") throw new Error(read.state);
    return read.figure.currencies.map(({ currency, amount, is_list_price }) => [
      currency,
      amount,
      is_list_price,
    ]);
  };
  expect(await owedOn(now)).toEqual([
    ["NPR", "839.00", true],
    ["USD", "500.00", true],
  ]);
  expect((await owedOn("2026-12-23T06:00:00Z"))[0]).toEqual(["NPR", "1065.00", true]);
});
