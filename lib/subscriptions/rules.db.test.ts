import { expect, test } from "vitest";
import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import { isMarkedOneTimeSql } from "#lib/search-index/query/conditions.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { isOneTimePurchase } from "#lib/money/payable.ts";

useDashboardDatabase();

const DAY = "2026-11-20T00:00:00Z";
const days = [null, DAY];
const records = SUBSCRIPTION_STATUSES.flatMap((status) =>
  days.flatMap((current_period_start) =>
    days.flatMap((current_period_end) =>
      days.map((next_billing_cycle) => ({
        status,
        current_period_start,
        current_period_end,
        next_billing_cycle,
      })),
    ),
  ),
);

test.each([null, "month", "one_time"])(
  "SQL and TypeScript recognize the same one-time purchases if the listed interval is %s",
  async (interval_type) => {
    const { rows } = await pool.query<{ said: boolean }>(
      `select ${isMarkedOneTimeSql("r", "$2::text")} as said
         from jsonb_to_recordset($1) as r(status text, current_period_start timestamptz,
           current_period_end timestamptz, next_billing_cycle timestamptz)`,
      [JSON.stringify(records), interval_type],
    );
    const isListedSo = interval_type === "one_time";
    expect(rows.map(({ said }) => said)).toEqual(
      records.map((record) => isListedSo || isOneTimePurchase(record)),
    );
  },
);
