import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { addDays } from "#lib/format/calendar.ts";
import { dayInZone } from "#lib/format/format.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createIndexedSeller } from "#tools/testing/fixtures/records-fixture.ts";
import {
  storeHistory,
  storeToldHistory,
  type SubscriptionHistoryFixture,
  type KnownHistories,
} from "#tools/testing/fixtures/history-fixture.ts";
import { SlowReports } from "#tools/testing/slow-reports.ts";
import type { ReportAnswer } from "./queries.ts";
import { parseReportSearch, REPORTS, type ReportName } from "./search.ts";
import { readReportOf } from "./read-report.ts";

useDashboardDatabase();

const DAY_MS = 86_400_000;
const LISTED = {
  monthly: "month:1",
  quarterly: "month:3",
  weekly: "week:1",
  daily: "day:10",
  yearly: "year:1",
  once: "one_time:1",
};
const HOUR = 24;

/** Moments some hours ago, so that several events fall on one day and around midnight. */
const hoursAgo = (days: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: days }), fc.constantFrom(0, 1, 13))
    .map(([day, hour]) => day * HOUR + hour);

const versions = fc.array(
  fc.record({
    ago: hoursAgo(40),
    status: fc.constantFrom(
      "pending_checkout",
      "active",
      "active",
      "due",
      "pending_cancellation",
      "cancelled",
      "inactive",
      "frozen",
    ),
    start: fc.option(fc.constantFrom(0, 1, 10, 28, 30, 31, 59, 90)),
    next: fc.option(fc.constantFrom(-60, -31, -30, -8, -1, 0, 1, 7, 18, 45, 70)),
    price: fc.constantFrom("100.00", "0.01", "33.333", "1999.5", "free"),
    currency: fc.constantFrom("NPR", "NPR", "USD"),
    pbp_id: fc.constantFrom(...Object.keys(LISTED), "gone", "gone", "gone", "lost"),
  }),
  { minLength: 1, maxLength: 6, size: "max" },
);

const cases = fc.record({
  time_zone: fc.constantFrom("Asia/Kathmandu", "America/New_York", "+05:45", "UTC"),
  // The third moment is a few hours before New York's clocks change.
  now: fc.constantFrom(
    "2026-11-22T10:00:00.000Z",
    "2026-03-31T20:00:00.000Z",
    "2026-03-08T04:30:00.000Z",
    // Between 31 January, when a subscription began, and its billing date 28 February.
    "2026-02-10T10:00:00.000Z",
  ),
  since: hoursAgo(60),
  days: fc.constantFrom(1, 7, 30, 90),
  endsAgo: fc.constantFrom(0, 0, 3),
  asked: fc.constantFrom(null, null, "milk"),
  subscriptions: fc.array(
    fc.record({
      created: fc.oneof(hoursAgo(400), hoursAgo(30), fc.constantFrom(23, 24, 25)),
      product: fc.constantFrom("milk", "ghee"),
      plan: fc.constantFrom("Gold", "Silver"),
      versions,
    }),
    { minLength: 1, maxLength: 40, size: "max" },
  ),
});
type Case = typeof cases extends fc.Arbitrary<infer Value> ? Value : never;

let made = 0;

function knownOf({ now, since, subscriptions, time_zone }: Case): KnownHistories {
  const ago = (hours: number) => new Date(Date.parse(now) - hours * 3_600_000).toISOString();
  const known_since = ago(since);
  const histories = subscriptions.map(
    ({ created, product, plan, versions: drawn }): SubscriptionHistoryFixture => {
      const seen = drawn
        .map(({ ago: hours, start, next, ...rest }) => ({
          ...rest,
          at: ago(Math.min(hours, since)),
          start: start === null ? null : ago(start * HOUR + 1),
          next: next === null ? null : new Date(Date.parse(now) + next * DAY_MS).toISOString(),
        }))
        .toSorted((a, b) => (a.at < b.at ? -1 : 1));
      // Two reads at one moment count as one, because the index has one clock.
      const versionsOnce = seen.filter(({ at }, index) => seen[index + 1]?.at !== at);
      made += 1;
      return {
        id: `sub-${made}`,
        created_at: ago(created),
        product,
        plan,
        versions: versionsOnce,
      };
    },
  );
  return { histories, known_since, listed: LISTED, time_zone };
}

function ready<Name extends ReportName>(read: ReportAnswer<Name>) {
  if (read.state !== "ready") throw new Error(`the index is ${read.state}`);
  return read;
}

const NOTHING = { count: 0, amount: "0.00" };

test("every report equals a direct count over the same history", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (drawn) => {
      const { now, time_zone, days, endsAgo, asked } = drawn;
      const owner = await createIndexedSeller(pool);
      const known = knownOf(drawn);
      await storeHistory(pool, owner, known);
      const to = addDays(dayInZone(now, time_zone), -endsAgo);
      const from = addDays(to, 1 - days);
      const search = { ...parseReportSearch({}), from, to, product: asked };
      const read = async <Name extends ReportName>(name: Name) =>
        ready(await readReportOf(pool, owner, name, { search, time_zone, now }));
      const histories = known.histories.filter(({ product }) => !asked || product === asked);
      const ofAsked = { ...known, histories };
      const slow = new SlowReports({ known: ofAsked, from, to, now, time_zone });
      const startsKnown = slow.isKnown(slow.startOf(from));

      const { figure: revenue, before, is_partial, known_since } = await read("revenue");
      expect({ is_partial, known_since }).toEqual({
        is_partial: !startsKnown,
        known_since: known.known_since,
      });
      const expectedRevenue = slow.revenue();
      for (const amounts of expectedRevenue.currencies)
        expect(
          revenue.currencies.find(({ currency }) => currency === amounts.currency) ?? {
            ...amounts,
            amount: "0.00",
            start: startsKnown ? "0.00" : null,
            active: "0.00",
            due: "0.00",
            ending: "0.00",
          },
        ).toEqual(amounts);
      expect({
        counts: [revenue.active, revenue.due, revenue.ending].map(({ count }) => count),
        estimated: revenue.estimated,
        unknown: revenue.unknown,
      }).toEqual({
        counts: expectedRevenue.counts,
        estimated: expectedRevenue.estimated,
        unknown: expectedRevenue.unknown,
      });

      const { figure: subscribers } = await read("subscribers");
      expect(subscribers.days.map(({ active, due, ending }) => [active, due, ending])).toEqual(
        slow.subscribers(),
      );

      const { figure: movement } = await read("movement");
      const { days: _days, ...moved } = movement;
      const counts = Object.fromEntries(
        Object.entries(moved).map(([name, { count }]) => [name, count]),
      );
      expect(counts).toEqual(slow.movement());
      const earlier = slow.movement(slow.startOf(before.from), slow.startOf(from));
      if (slow.isKnown(slow.startOf(before.from)))
        expect(movement.lost.before).toBe(earlier.lost);
      else expect(movement.lost.before).toBeNull();
      expect(movement.created.before).toBe(earlier.created);

      const { figure: checkouts } = await read("checkouts");
      expect(
        Object.fromEntries(Object.entries(checkouts).map(([name, { count }]) => [name, count])),
      ).toEqual(slow.checkouts());

      const { figure: collected } = await read("collected");
      expect(
        ["NPR", "USD"].map((wanted) => {
          const found = collected.currencies.find(({ currency }) => currency === wanted);
          const { payments, amount, fee, net } = found ?? NO_PAYMENTS;
          return { payments, amount, fee, net };
        }),
      ).toEqual(slow.collected());

      const { figure: owed } = await read("owed");
      for (const [age, youngest, oldest] of AGES)
        expect(
          ["NPR", "USD"].map((wanted) => {
            const own = owed.currencies.find(({ currency }) => currency === wanted);
            const found = own?.ages.find((one) => one.age === age);
            return found ? { count: found.count, amount: found.amount } : NOTHING;
          }),
        ).toEqual(slow.owed(youngest, oldest));

      const { figure: expected } = await read("expected");
      for (const { days: ahead, currencies } of expected.horizons)
        expect(
          ["NPR", "USD"].map((wanted) => {
            const found = currencies.find(({ currency }) => currency === wanted);
            return found ? { count: found.count, amount: found.amount } : NOTHING;
          }),
        ).toEqual(slow.expected(ahead));
      expect(expected.observed).toMatchObject(slow.observed());

      const { figure: retention } = await read("retention");
      expect(
        retention.months.map(({ month, begun, left }) => ({ month, begun, left })),
      ).toEqual(slow.retention());
    }),
    { numRuns: 30 },
  );
});

test("reports of an index filled later equal those of an index that saw every change", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (drawn) => {
      const { now, time_zone, days, endsAgo, asked } = drawn;
      const known = knownOf(drawn);
      // A service knows of no state before a subscription was created.
      for (const history of known.histories) {
        const [first] = history.versions;
        if (first && first.at < history.created_at) history.created_at = first.at;
      }
      const [watched, filled] = [
        await createIndexedSeller(pool),
        await createIndexedSeller(pool),
      ];
      await storeHistory(pool, watched, known);
      await storeToldHistory(pool, filled, known);
      const to = addDays(dayInZone(now, time_zone), -endsAgo);
      const search = {
        ...parseReportSearch({}),
        from: addDays(to, 1 - days),
        to,
        product: asked,
      };
      for (const name of REPORTS) {
        const read = async (owner: KeyOwner) => {
          const {
            as_of: _as_of,
            age_s: _age,
            ...answer
          } = ready(await readReportOf(pool, owner, name, { search, time_zone, now }));
          return { name, ...answer };
        };
        expect(await read(filled)).toEqual(await read(watched));
      }
    }),
    { numRuns: 12 },
  );
});

const NO_PAYMENTS = { payments: 0, amount: "0.00", fee: "0.00", net: "0.00" };
const AGES = [
  ["0-7", 0, 7],
  ["8-30", 8, 30],
  ["31-60", 31, 60],
  ["60+", 61, 9_999],
] as const;
