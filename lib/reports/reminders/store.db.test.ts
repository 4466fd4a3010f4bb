import * as fc from "fast-check";
import { expect, test } from "vitest";
import { addDecimals } from "#lib/format/decimal.ts";
import { calendarDay, dayInZone } from "#lib/format/format.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createIndexedSeller, storeRecords } from "#tools/testing/fixtures/records-fixture.ts";
import {
  BILLED,
  openRemindedSeller,
  reminderStep,
} from "#tools/testing/fixtures/reminders-fixture.ts";
import {
  storeHistory,
  type SubscriptionHistoryFixture,
} from "#tools/testing/fixtures/history-fixture.ts";
import { readPaidAfter, readReminderResults } from "./store.ts";
import type { ReminderOutcomes } from "./rules.ts";

useDashboardDatabase();

const NOW = "2026-11-22T10:00:00.000Z";
const ZONE = "Asia/Kathmandu";
const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const ago = (hours: number) => new Date(Date.parse(NOW) - hours * HOUR_MS).toISOString();
const hours = (least: number, most: number) => fc.integer({ min: least, max: most });

/**
 * A subscription: the hours since it became due, the hours from then until its payment (null:
 * unpaid), and its contacts.
 */
const buyer = fc.record({
  due: hours(1, 40 * DAY_HOURS),
  paidAfter: fc.option(hours(1, 12 * DAY_HOURS)),
  price: fc.constantFrom("100.00", "0.50", "1999.99"),
  currency: fc.constantFrom("NPR", "NPR", "USD"),
  acts: fc.array(
    fc.record({
      ago: hours(0, 45 * DAY_HOURS),
      kind: fc.constantFrom("reminder", "reminder", "promise"),
      channel: fc.constantFrom("whatsapp", "sms", "call"),
      isUndone: fc.boolean(),
      ahead: fc.constantFrom(0, 1, 5),
    }),
    { maxLength: 5 },
  ),
  isGone: fc.constantFrom(false, false, false, true),
});
type Buyer = typeof buyer extends fc.Arbitrary<infer Value> ? Value : never;

/** Hours are unique, because two reads of the index at one moment would count as one. */
const cases = fc.record({
  known: hours(1, 50 * DAY_HOURS),
  days: fc.constantFrom(7 as const, 30 as const, 90 as const),
  buyers: fc.uniqueArray(buyer, { minLength: 1, maxLength: 8, selector: ({ due }) => due }),
});

const paidAt = ({ due, paidAfter }: Buyer) =>
  paidAfter !== null && due - paidAfter >= 0 ? ago(due - paidAfter - 0.001) : null;

const PERSON = "00000000-0000-4000-8000-000000000001";

function historyOf(one: Buyer, at: number): SubscriptionHistoryFixture {
  const { due, price, currency } = one;
  const version = { price, currency, pbp_id: "p", next: null };
  const paid = paidAt(one);
  return {
    id: `sub-${at}`,
    created_at: ago(2_000),
    product: "milk",
    plan: "Gold",
    versions: [
      { ...version, at: ago(1_500), status: "active", start: ago(2_000) },
      { ...version, at: ago(due), status: "due", start: ago(2_000) },
      ...(paid ? [{ ...version, at: paid, status: "active", start: ago(due) }] : []),
    ],
  };
}

async function store(buyers: Buyer[], known_since: string) {
  const owner = await createIndexedSeller(pool);
  const histories = buyers.map(historyOf);
  await storeHistory(pool, owner, { histories, known_since, listed: { p: "month:1" } });
  for (const [at, one] of buyers.entries()) {
    for (const act of one.acts.toSorted((a, b) => b.ago - a.ago))
      await pool.query(
        `insert into contact (seller_id, mode, subscription_id, at, person_id, person_name, kind,
                              channel, detail, undone_at, undone_by)
         values ($1, $2, $3, $4, $5, 'Asha', $6, $7, $8, $9, $10)`,
        [
          owner.seller_id,
          owner.mode,
          `sub-${at}`,
          ago(act.ago),
          PERSON,
          act.kind,
          act.kind === "reminder" ? act.channel : null,
          act.kind === "promise" ? { promised_for: promisedFor(act) } : {},
          act.isUndone ? NOW : null,
          act.isUndone ? PERSON : null,
        ],
      );
    if (one.isGone)
      await pool.query(
        "delete from mirror_subscription where seller_id = $1 and mode = $2 and id = $3",
        [owner.seller_id, owner.mode, `sub-${at}`],
      );
  }
  return owner;
}

const promisedFor = ({ ago: at, ahead }: Buyer["acts"][number]) =>
  dayInZone(ago(at - ahead * DAY_HOURS), ZONE);

interface Slow {
  buyer: number;
  from: string;
  paid: string | null;
  price: string;
  currency: string;
  channel: string;
  reminders: number;
}

/** A slow, simple implementation to compare with. */
function slowly(buyers: Buyer[], since: string) {
  const reminded: Slow[] = [];
  const unreminded: Slow[] = [];
  const promises = { kept: 0, broken: 0, open: 0 };
  let unknown = 0;
  for (const [buyer, one] of buyers.entries()) {
    const { currency } = one;
    // The amount in the payments table: with the offer and VAT of the fixture's listed period.
    const price = one.price === "100.00" && currency === "NPR" ? "101.70" : one.price;
    const payment = paidAt(one);
    const told = one.acts
      .filter(({ isUndone }) => !isUndone)
      .toSorted((a, b) => b.ago - a.ago)
      .map((act) => ({ ...act, at: ago(act.ago) }));
    const recent = told.filter(({ at }) => at >= since);
    if (one.isGone) {
      unknown += recent.filter(({ kind }) => kind === "reminder").length;
      continue;
    }
    for (const isBefore of [true, false]) {
      const side = recent.filter(({ at }) => (payment !== null && at < payment) === isBefore);
      const paid = isBefore ? payment : null;
      const reminders = side.filter(({ kind }) => kind === "reminder");
      const last = reminders.at(-1);
      if (last)
        reminded.push({
          buyer,
          from: last.at,
          paid,
          price,
          currency,
          channel: last.channel,
          reminders: reminders.length,
        });
      const promise = side.findLast(({ kind }) => kind === "promise");
      if (!promise) continue;
      const by = promisedFor(promise);
      const paidDay = paid && calendarDay(paid, ZONE);
      if (paidDay !== null && paidDay <= by) promises.kept += 1;
      else if (paidDay !== null || by < dayInZone(NOW, ZONE)) promises.broken += 1;
      else promises.open += 1;
    }
    const due = ago(one.due);
    const isReminded = told.some(
      ({ kind, at, ago: hoursAgo }) =>
        kind === "reminder" &&
        hoursAgo <= one.due + 14 * DAY_HOURS &&
        (payment === null || at < payment),
    );
    if (due >= since && !isReminded)
      unreminded.push({
        buyer,
        from: due,
        paid: payment,
        price,
        currency,
        channel: "",
        reminders: 0,
      });
  }
  return { reminded, unreminded, promises, unknown };
}

const daysOf = (from: string, to: string) =>
  (Date.parse(to) - Date.parse(from)) / (DAY_HOURS * HOUR_MS);

function sumSlowly(rows: Slow[]): ReminderOutcomes {
  const amounts: Record<string, string> = {};
  for (const { paid, currency, price } of rows)
    if (paid !== null) amounts[currency] = addDecimals(amounts[currency] ?? "0", price);
  const told: { waited: number; took: number | null }[] = [];
  for (const buyer of new Set(rows.map((row) => row.buyer))) {
    const own = rows.filter((row) => row.buyer === buyer).toSorted(byFrom);
    const [one] = [...own.filter(({ paid }) => paid), ...own];
    if (!one) continue;
    const took = one.paid === null ? null : daysOf(one.from, one.paid);
    told.push({ waited: daysOf(one.from, NOW), took });
  }
  const took = told.flatMap((one) => one.took ?? []).toSorted((a, b) => a - b);
  const middle = (took.length - 1) / 2;
  const low = took[Math.floor(middle)] ?? 0;
  const median = Math.round((low + (took[Math.ceil(middle)] ?? 0)) * 5) / 10;
  const share = (days: number) => {
    const old = told.filter(({ waited }) => waited >= days);
    return {
      paid: old.filter((one) => one.took !== null && one.took <= days).length,
      of: old.length,
    };
  };
  return {
    count: told.length,
    paid: took.length,
    within: { 1: share(1), 3: share(3), 7: share(7) },
    median_days: took.length === 0 ? null : median,
    amounts: Object.keys(amounts)
      .toSorted()
      .map((currency) => ({ currency, amount: amounts[currency] ?? "" })),
  };
}

const byFrom = (a: Slow, b: Slow) => Date.parse(a.from) - Date.parse(b.from);

test("reminder results equal a direct count over the same history", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ known, days, buyers }) => {
      const known_since = ago(known + 0.5);
      const owner = await store(buyers, known_since);
      const results = await readReminderResults(pool, owner, {
        days,
        time_zone: ZONE,
        now: NOW,
        until: NOW,
      });
      const start = new Date(`${results.from}T00:00:00+05:45`).toISOString();
      const since = start > known_since ? start : known_since;
      const slow = slowly(buyers, since);
      expect(results.is_partial).toBe(start < known_since);
      expect(results.reminded).toEqual(sumSlowly(slow.reminded));
      expect(results.unreminded).toEqual(sumSlowly(slow.unreminded));
      expect(results.promises).toEqual(slow.promises);
      expect(results.unknown).toBe(slow.unknown);
      for (const { key, outcomes } of results.channels)
        expect(outcomes).toEqual(
          sumSlowly(slow.reminded.filter(({ channel }) => channel === key)),
        );
      for (const { key, outcomes } of results.counts)
        expect(outcomes).toEqual(
          sumSlowly(slow.reminded.filter((row) => String(Math.min(3, row.reminders)) === key)),
        );
    }),
    { numRuns: 25 },
  );
}, 120_000);

test("the amount after a reminder is the price paid with offer and VAT, not the list price", async () => {
  const reminder = { kind: "reminder", channel: "sms", isUndone: false, ahead: 0 } as const;
  const owner = await store(
    [
      {
        due: 72,
        paidAfter: 48,
        price: "100.00",
        currency: "NPR",
        acts: [{ ...reminder, ago: 60 }],
        isGone: false,
      },
    ],
    ago(1_000),
  );
  const question = { days: 30, time_zone: ZONE, now: NOW, until: NOW } as const;
  const { reminded } = await readReminderResults(pool, owner, question);
  // 100.00 less an offer of 10.00, with 13 % of VAT: the listed period of the fixture.
  expect(reminded.amounts).toEqual([{ currency: "NPR", amount: "101.70" }]);
});

test("the time until a payment is counted from the last reminder before the payment", async () => {
  const seller = await openRemindedSeller([
    reminderStep(1, "on_day"),
    reminderStep(2, "after", { days: 2 }),
  ]);
  const { owner, subscription } = seller;
  const since = "2026-11-01T00:00:00Z";
  const sendAt = async (at: string) => {
    expect(await seller.work(at)).toHaveLength(1);
    Object.assign(seller.sent.at(-1) ?? {}, { state: "delivered", sent_at: at });
    await seller.work(at);
  };
  await sendAt("2026-12-01T03:20:00Z");
  await sendAt("2026-12-03T03:20:00Z");
  const paidAfter = () => readPaidAfter(pool, owner, { since, until: "2026-12-06T04:00:00Z" });
  expect(await paidAfter()).toMatchObject({ reminded: 1, paid: 0 });
  await storeRecords(pool, owner, {
    subscriptions: [
      {
        ...subscription,
        current_period_start: BILLED,
        current_period_end: "2027-01-01T06:15:00Z",
        next_billing_cycle: "2027-01-01T06:15:00Z",
      },
    ],
  });
  await pool.query(
    "update mirror_change set seen_at = '2026-12-03T20:00:00Z' where seller_id = $1",
    [owner.seller_id],
  );
  expect(await paidAfter()).toEqual({
    reminded: 1,
    paid: 1,
    paid_within: [
      { days: 1, paid: 1, of: 1 },
      { days: 3, paid: 1, of: 1 },
      { days: 7, paid: 0, of: 0 },
    ],
  });
});
