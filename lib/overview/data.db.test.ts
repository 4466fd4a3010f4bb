import { expect, test } from "vitest";
import { emptyPage } from "#tools/testing/servers/billing-server.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
} from "#tools/testing/fixtures/records-fixture.ts";
import { findEndingSoon, readEndingSubscriptions } from "./data.ts";

useDashboardDatabase();

const CLOCK = { time_zone: "Asia/Kathmandu", now: "2026-11-20T06:15:00Z" };
const billing = (status: string, day: string, full_name = "Anybody") =>
  makeSubscription({
    status,
    next_billing_cycle: `${day}T10:00:00Z`,
    current_period_end: `${day}T10:00:00Z`,
    client: { full_name },
  });

test("the index counts every subscription that ends or has its billing date within a week", async () => {
  const soon = Array.from({ length: 620 }, () => billing("active", "2026-11-24"));
  const owner = await createIndexedSeller(pool, {
    subscriptions: [
      billing("active", "2026-11-20", "Today"),
      ...soon,
      billing("active", "2026-11-27", "Last day"),
      billing("active", "2026-11-28", "Too late"),
      billing("active", "2026-11-19", "Past"),
      billing("due", "2026-11-21", "Due"),
      billing("pending_cancellation", "2026-11-22", "Ends"),
      billing("pending_cancellation", "2027-03-01", "Ends in spring"),
    ],
  });
  const found = await findEndingSoon(pool, owner, CLOCK);
  expect(found).toMatchObject({ total: 624, is_least: false, absence: null });
  if (!("subscriptions" in found)) throw new Error("the index is not ready");
  expect(found.index?.age_s).toBeGreaterThanOrEqual(0);
  expect(found.subscriptions.map(({ client }) => client.full_name).slice(0, 3)).toEqual([
    "Today",
    "Ends",
    "Anybody",
  ]);
});

test("while the index fills, the overview gets the progress of the index instead of a count", async () => {
  const owner = await createIndexedSeller(pool, {
    subscriptions: [billing("active", "2026-11-21")],
  });
  await pool.query("update mirror set filled_at = null where seller_id = $1", [
    owner.seller_id,
  ]);
  const absence = { state: "filling", read: 0, total: null };
  await expect(findEndingSoon(pool, owner, CLOCK)).resolves.toEqual(absence);
});

test("while the index fills, ending subscriptions come from the API's first page, soonest first", async () => {
  const asked: unknown[] = [];
  const lists = {
    listSubscriptions: async (search: { status: string | null }) => {
      asked.push(search.status);
      return {
        ...emptyPage,
        total_subscriptions: null,
        active_subscriptions: null,
        due_subscriptions: null,
        inactive_subscriptions: null,
        results: ["2026-12-02", "2026-11-24"].map((day) =>
          billing("pending_cancellation", day, day),
        ),
      };
    },
  };
  const absence = { state: "filling", read: 3, total: 9 } as const;
  const found = await readEndingSubscriptions(lists, absence);
  expect(found).toMatchObject({ total: 2, is_least: true, index: null, absence });
  expect(found.subscriptions.map(({ client }) => client.full_name)).toEqual([
    "2026-11-24",
    "2026-12-02",
  ]);
  expect(asked).toEqual(["pending_cancellation"]);
});
