import fc from "fast-check";
import { expect, it } from "vitest";
import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import { useTestService } from "../testing/use-service.ts";
import { nextTimedChange } from "../subscriptions/timed-changes.ts";

const service = useTestService();

const moment = fc.date({
  min: new Date("2026-01-01"),
  max: new Date("2030-01-01"),
  noInvalidDate: true,
});
const row = fc.record({
  status: fc.constantFrom(...SUBSCRIPTION_STATUSES),
  next_billing_cycle: moment,
  grace_days: fc.integer({ min: 0, max: 90 }),
  time_zone: fc.constantFrom(
    "Asia/Kathmandu",
    "Asia/Katmandu",
    "America/Los_Angeles",
    "Pacific/Kiritimati",
    "America/Havana",
    "Asia/Beirut",
    "Australia/Lord_Howe",
    "Africa/Cairo",
    "UTC",
    "+05:45",
    "-0330",
    "+14",
    "-08:00",
  ),
});

it("SQL and TypeScript calculate the same time of the next status change in all kinds of time zones", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 50, maxLength: 50 }), async (rows) => {
      const { rows: stored } = await service.pool.query<{ at: Date | null }>(
        `select transition_moment(status, next_billing_cycle, time_zone, grace_days) as at
         from jsonb_to_recordset($1) as r (status text, next_billing_cycle timestamptz,
           time_zone text, grace_days smallint)`,
        [JSON.stringify(rows)],
      );
      const wanted = rows.map((one) => nextTimedChange(one, one)?.at ?? null);
      expect(stored.map(({ at }) => at)).toEqual(wanted);
    }),
    { numRuns: 40 },
  );
});

it("in a time zone unknown to PostgreSQL, the next status change is at the start of the billing date in UTC", async () => {
  const { rows } = await service.pool.query<{ at: Date }>(
    "select transition_moment('active', '2026-04-10T12:00:00Z', 'Mars/Olympus', 7::smallint) as at",
  );
  expect(rows[0]?.at).toEqual(new Date("2026-04-10T00:00:00Z"));
});
