import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AccountPayment } from "#contract/payments.ts";
import { processingFee } from "#contract/amount.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { readReportOf } from "#lib/reports/read-report.ts";
import { parseReportSearch } from "#lib/reports/search.ts";
import { keepDailySums } from "#lib/search-index/sync/daily-sums.ts";
import { recordSeenPayments, recordToldPayments } from "#lib/search-index/sync/store.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";
import {
  deliverTo,
  readReceiverToken,
  signedRequest,
  storeReceiverSecret,
} from "../testing/fixtures/receiver-fixture.ts";
import {
  createIndexedSeller,
  makeSubscription,
  storeRecords,
} from "../testing/fixtures/records-fixture.ts";
import { parsePaymentSearch } from "#lib/payments/search.ts";
import { readPayments } from "#lib/payments/store.ts";

useDashboardDatabase();

const ZONE = "Asia/Kathmandu";
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BASE = Date.now() - 150 * DAY;
const iso = (moment: number) => new Date(moment).toISOString();

/** A payment that the service took, and the subscription before and after it. */
interface Paid {
  payment: AccountPayment;
  before: Subscription;
  after: Subscription;
}

const drawnPayment = fc.record({
  amount: fc.integer({ min: 1, max: 99_999_999 }).map((paisa) => (paisa / 100).toFixed(2)),
  /** Hours after the billing date; negative for an early renewal. */
  hours: fc.constantFrom(-120, -20, 0, 3, 70),
  method: fc.constantFrom("wallet", "bank"),
});

type Drawn = typeof drawnPayment extends fc.Arbitrary<infer Value> ? Value : never;

function paidBy(number: number, drawn: Drawn[]): Paid[] {
  const waiting = makeSubscription({
    status: "pending_checkout",
    current_period_start: null,
    current_period_end: null,
    next_billing_cycle: null,
    created_at: iso(BASE),
  });
  const { subscription_id } = waiting;
  let before = waiting;
  return drawn.map(({ amount, hours, method }, at): Paid => {
    const due = BASE + at * 30 * DAY + number * HOUR;
    const isEarly = at > 0 && hours < 0;
    const paid_at = at === 0 ? due : due + hours * HOUR;
    const end = iso(due + 30 * DAY);
    const after = {
      ...before,
      status: "active",
      current_period_start: isEarly ? before.current_period_start : iso(due),
      current_period_end: end,
      next_billing_cycle: end,
    };
    const payment: AccountPayment = {
      payment_id: `00000000-0000-4000-8000-${subscription_id.slice(-8)}${String(at).padStart(4, "0")}`,
      reference: "",
      subscription_id,
      customer: { id: 1, full_name: "", buyer_phone: "", buyer_email: "" },
      product: { product_id: "p-milk", name: "Milk", plan_name: "Daily" },
      amount,
      currency: "NPR",
      vat: null,
      fee: processingFee(amount),
      method,
      provider_reference: `provider-${subscription_id}-${at}`,
      refunded: "0.00",
      refund_owed: "0.00",
      dispute: null,
      bill_id: null,
      reversed_at: null,
      recorded: null,
      period_start: iso(due),
      paid_at: iso(paid_at),
    };
    const one = { payment, before, after };
    before = after;
    return one;
  });
}

const follow = ({ seller_id }: KeyOwner) =>
  pool.query(
    "update mirror set feed_cursor = 'some', payments_before = null, payments_read_at = now() where seller_id = $1",
    [seller_id],
  );

async function deliver(owner: KeyOwner, { payment, before, after }: Paid, id: string) {
  const { payment_id, subscription_id, amount, currency, method, paid_at } = payment;
  await deliverTo(
    await readReceiverToken(owner),
    await signedRequest({
      id,
      body: {
        event: "checkout.succeeded",
        timestamp: paid_at,
        subscription_id,
        old_status: before.status,
        new_status: after.status,
        data: { payment_id, amount, currency, method },
      },
    }),
  );
}

const show = async (owner: KeyOwner, record: Subscription) => {
  await storeRecords(pool, owner, { subscriptions: [record] });
  await recordSeenPayments(pool, owner);
};

const tell = (owner: KeyOwner, paid: Paid[], isNews = true) =>
  recordToldPayments(
    pool,
    owner,
    paid.map(({ payment }) => payment),
    isNews,
  );

const inPaisa = (text: string) => BigInt(text.replace(".", ""));

/** Fails unless the list of payments and the report have the service's payments and their sums. */
async function expectService(owner: KeyOwner, paid: Paid[]) {
  await recordSeenPayments(pool, owner);
  await keepDailySums(pool, owner);
  const { rows } = await pool.query<Record<string, string>>(
    `select payment_id, subscription_id, amount::text, fee::text, method, provider_reference,
            period_start, said_at from proof where seller_id = $1`,
    [owner.seller_id],
  );
  const key = (row: object) => JSON.stringify(row);
  expect(rows.map(key).toSorted()).toEqual(
    paid
      .map(({ payment }) =>
        key({
          payment_id: payment.payment_id,
          subscription_id: payment.subscription_id,
          amount: payment.amount,
          fee: payment.fee,
          method: payment.method,
          provider_reference: payment.provider_reference,
          period_start: payment.period_start,
          said_at: payment.paid_at,
        }),
      )
      .toSorted(),
  );
  const sum = (part: "amount" | "fee") =>
    paid.reduce((all, { payment }) => all + inPaisa(payment[part]), 0n);
  const { totals } = await readPayments(pool, owner, parsePaymentSearch({}), ZONE);
  const read = await readReportOf(pool, owner, "collected", {
    search: parseReportSearch({ from: iso(BASE - 9 * DAY).slice(0, 10) }),
    time_zone: ZONE,
    now: new Date().toISOString(),
  });
  if (read.state !== "ready") throw new Error(read.state);
  expect(read.is_partial).toBe(false);
  for (const found of [totals, read.figure.currencies])
    expect(found.map(({ amount, fee }) => [inPaisa(amount), inPaisa(fee)])).toEqual([
      [sum("amount"), sum("fee")],
    ]);
}

const buyers = fc.array(fc.array(drawnPayment, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 3,
});

async function begin(drawn: Drawn[][]) {
  const owner = await createIndexedSeller(pool);
  await storeReceiverSecret(owner);
  const paid = drawn.flatMap((one, number) => paidBy(number, one));
  await storeRecords(pool, owner, {
    subscriptions: paid
      .filter(({ before }) => before.current_period_start === null)
      .map(({ before }) => before),
  });
  return { owner, paid };
}

const order = fc.infiniteStream(fc.nat({ max: 1_000 }));

describe("the sum of payments in the dashboard equals the sums of its reports and of the service", () => {
  test("if payments are told in any order and repeatedly", async () => {
    await fc.assert(
      fc.asyncProperty(buyers, order, async (drawn, choices) => {
        const { owner, paid } = await begin(drawn);
        await follow(owner);
        const next = () => choices.next().value ?? 0;
        const acts = paid.flatMap((one, at) => {
          const ways = [
            () => deliver(owner, one, `msg-${at}`),
            () => deliver(owner, one, `again-${at}`),
            () => tell(owner, [one]),
            () => tell(owner, paid, false),
            () => show(owner, one.after),
          ];
          return [() => tell(owner, [one]), ...ways.filter(() => next() % 2 === 0)];
        });
        const shuffled = acts
          .map((act): [number, () => Promise<unknown>] => [next(), act])
          .toSorted(([one], [other]) => one - other);
        for (const [, act] of shuffled) await act();
        await expectService(owner, paid);
      }),
      { numRuns: 12 },
    );
  });

  test("if the service began to list payments later", async () => {
    await fc.assert(
      fc.asyncProperty(buyers, order, async (drawn, choices) => {
        const { owner, paid } = await begin(drawn);
        const next = () => choices.next().value ?? 0;
        for (const [at, one] of paid.entries())
          if (one.after.current_period_start === one.before.current_period_start) continue;
          else if (next() % 3 === 0) await show(owner, one.after);
          else if (next() % 2 === 0) await deliver(owner, one, `msg-${at}`);
        await follow(owner);
        await tell(owner, paid, false);
        for (const [at, one] of paid.entries())
          if (next() % 2 === 0) await deliver(owner, one, `late-${at}`);
        await expectService(owner, paid);
      }),
      { numRuns: 12 },
    );
  });
});

test("a payment from the feed is listed as a first payment or a renewal, and is found by the provider's reference", async () => {
  const { owner, paid } = await begin([
    [
      { amount: "100.00", hours: 0, method: "bank" },
      { amount: "120.00", hours: 3, method: "bank" },
    ],
  ]);
  await follow(owner);
  await tell(owner, paid);
  const find = (q?: string) =>
    readPayments(pool, owner, parsePaymentSearch({ ...(q && { q }) }), ZONE);
  expect((await find()).payments).toMatchObject([
    { amount: "120.00", is_renewal: true, known_by: "service", at: paid[1]?.payment.paid_at },
    { amount: "100.00", is_renewal: false, received_delivery_id: null },
  ]);
  const { payments } = await find(paid[0]?.payment.provider_reference ?? "");
  expect(payments).toMatchObject([{ amount: "100.00", product_name: "Milk" }]);
});
