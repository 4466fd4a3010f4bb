import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeProduct,
  makeSubscription,
} from "#tools/testing/fixtures/records-fixture.ts";
import { findMoveRecipients } from "./move-notices.ts";

useDashboardDatabase();

test("a move notifies active subscribers billed after today who do not have the new billing period yet", async () => {
  const named = (full_name: string, phone: string, changes: object = {}) => ({
    ...makeSubscription({ client: { full_name, phone } as never }),
    ...changes,
  });
  const both = named("Both", "9800000004");
  const subscriptions = [
    named("Late", "9800000001", { next_billing_cycle: "2026-12-20T18:15:00Z" }),
    named("Early", "9800000002", { next_billing_cycle: "2026-12-02T18:15:00Z" }),
    // Midnight in Nepal is 18:15 of the day before in UTC.
    named("Today", "9800000003", { next_billing_cycle: "2026-11-30T18:15:00Z" }),
    named("Due", "9800000005", { status: "due", next_billing_cycle: "2026-12-09T18:15:00Z" }),
    named("Ending", "9800000006", { status: "pending_cancellation" }),
    { ...both, next_billing_cycle: "2026-12-09T18:15:00Z" },
    {
      ...both,
      subscription_id: `${both.subscription_id.slice(0, -1)}x`,
      product: { ...both.product, pbp_id: "pbp-2" },
    },
  ];
  const owner = await createIndexedSeller(pool, { products: [makeProduct()], subscriptions });
  const asked = {
    from: "pbp-1",
    to: "pbp-2",
    today: "2026-12-01",
    time_zone: "Asia/Kathmandu",
  };
  expect(await findMoveRecipients(pool, owner, asked)).toMatchObject([
    { name: "Early", day: "2026-12-03", seen: null },
    { name: "Late", day: "2026-12-21", seen: null },
  ]);
  const other = await createIndexedSeller(pool);
  expect(await findMoveRecipients(pool, other, asked)).toEqual([]);
});
