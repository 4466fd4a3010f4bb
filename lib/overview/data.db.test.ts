import { expect, test } from "vitest";
import { emptyPage } from "#tools/testing/billing-server.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard.ts";
import { makeCopy, makeSubscription } from "#tools/testing/made-copy.ts";
import { findEndingSoon, lookForEndingSoon } from "./data.ts";

useDashboardDatabase();

const CLOCK = { time_zone: "Asia/Kathmandu", now: "2026-11-20T06:15:00Z" };
const billing = (status: string, day: string, full_name = "Anybody") =>
  makeSubscription({
    status,
    next_billing_cycle: `${day}T10:00:00Z`,
    current_period_end: `${day}T10:00:00Z`,
    client: { full_name },
  });

test("what ends or bills soon is counted whole in the copy, however many there are", async () => {
  const soon = Array.from({ length: 620 }, () => billing("active", "2026-11-24"));
  const owner = await makeCopy(pool, {
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
  expect(found).toMatchObject({ total: 624, is_least: false, active: null });
  expect(found?.copy?.age_s).toBeGreaterThanOrEqual(0);
  expect(found?.subscriptions.map(({ client }) => client.full_name).slice(0, 3)).toEqual([
    "Today",
    "Ends",
    "Anybody",
  ]);
});

test("nothing is told of a copy that is still being filled", async () => {
  const owner = await makeCopy(pool, { subscriptions: [billing("active", "2026-11-21")] });
  await pool.query("update mirror set filled_at = null where seller_id = $1", [
    owner.seller_id,
  ]);
  await expect(findEndingSoon(pool, owner, CLOCK)).resolves.toBeNull();
});

test("without a copy it is counted as far as the lists were read, and said to be at least that", async () => {
  const lists = (pages: number) => ({
    listSubscriptions: async ({ status, page }: { status: string | null; page: number }) => ({
      ...emptyPage,
      total_subscriptions: null,
      active_subscriptions: null,
      due_subscriptions: null,
      inactive_subscriptions: null,
      results: status === "active" ? [billing("active", "2026-11-24")] : [],
      next: status === "active" && page < pages ? "more" : null,
    }),
  });
  const look = (pages: number) => lookForEndingSoon(lists(pages), CLOCK);
  await expect(look(2)).resolves.toMatchObject({ total: 2, is_least: false, copy: null });
  await expect(look(600)).resolves.toMatchObject({ total: 5, is_least: true, copy: null });
});
