import { expect, test } from "vitest";
import { readReportOf } from "#lib/reports/read-report.ts";
import { parseReportSearch } from "#lib/reports/search.ts";
import { dayInZone } from "#lib/format/format.ts";
import { recordSeenPayments } from "#lib/search-index/sync/store.ts";
import { readPayments } from "#lib/payments/store.ts";
import { parsePaymentSearch } from "#lib/payments/search.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
  storeRecords,
} from "../testing/fixtures/records-fixture.ts";
import {
  deliverTo,
  storeReceiverSecret,
  signedRequest,
  checkoutSucceededBody,
  readReceiverToken,
} from "../testing/fixtures/receiver-fixture.ts";

useDashboardDatabase();

test("the reports' revenue equals the sum of the payments listed for the same days to the last paisa", async () => {
  const prices = ["1000.50", "0.01", "333.33", "20"];
  const waiting = prices.map((price, at) =>
    makeSubscription({
      status: "pending_checkout",
      current_period_start: null,
      product: { price, currency: at === 3 ? "USD" : "NPR" },
    }),
  );
  const owner = await createIndexedSeller(pool, { subscriptions: waiting });
  await storeReceiverSecret(owner);
  const [told] = waiting;
  // One payment has a delivery with its amount; the others follow from the subscriptions only.
  const body = {
    ...checkoutSucceededBody(told?.subscription_id),
    data: { amount: "904.00", currency: "NPR" },
  };
  await deliverTo(await readReceiverToken(owner), await signedRequest({ body }));
  const current_period_start = new Date().toISOString();
  const subscriptions = waiting.map((one) => ({
    ...one,
    status: "active",
    current_period_start,
  }));
  await storeRecords(pool, owner, { subscriptions });
  await recordSeenPayments(pool, owner);

  const now = new Date(Date.now() + 1_000).toISOString();
  const time_zone = "Asia/Kathmandu";
  const search = parseReportSearch({});
  const read = await readReportOf(pool, owner, "collected", { search, time_zone, now });
  if (read.state !== "ready") throw new Error(`the index is ${read.state}`);
  const { period, figure } = read;
  const days = { ...parsePaymentSearch({}), ...period };
  const { totals } = await readPayments(pool, owner, days, time_zone);
  expect(figure.currencies.map(({ before: _before, ...sums }) => sums)).toEqual(
    totals.map(({ count, ...sums }) => ({ ...sums, payments: count })),
  );
  expect(totals).toMatchObject([
    { currency: "NPR", count: 3, amount: "1237.34" },
    { currency: "USD", count: 1, amount: "20.00" },
  ]);
  expect(figure.subscriptions.count).toBe(4);
});

test("a payment is counted on the day on which it was paid, even if its delivery arrived later", async () => {
  const time_zone = "Asia/Kathmandu";
  const paid = makeSubscription();
  const owner = await createIndexedSeller(pool, { subscriptions: [paid] });
  await storeReceiverSecret(owner);
  const token = await readReceiverToken(owner);
  const timestamp = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const body = { ...checkoutSucceededBody(paid.subscription_id), timestamp };
  await deliverTo(token, await signedRequest({ id: "late", body }));
  await deliverTo(
    token,
    await signedRequest({ id: "soon", body: { ...body, timestamp: null } }),
  );

  const { payments } = await readPayments(pool, owner, parsePaymentSearch({}), time_zone);
  expect(payments.map(({ delivery_id }) => delivery_id)).toEqual(["soon", "late"]);
  expect(payments[1]?.at).toBe(timestamp);
  const day = dayInZone(timestamp, time_zone);
  const of = { from: day, to: day };
  const now = new Date(Date.now() + 1_000).toISOString();
  const search = parseReportSearch(of);
  expect(
    await readReportOf(pool, owner, "collected", { search, time_zone, now }),
  ).toMatchObject({
    period: of,
    figure: { currencies: [{ payments: 1 }] },
  });
  const listed = await readPayments(pool, owner, parsePaymentSearch(of), time_zone);
  expect(listed).toMatchObject({ payments: [{ delivery_id: "late" }], totals: [{ count: 1 }] });
});
