import { expect, test } from "vitest";
import { writeAudit } from "#lib/auth/guards/write-audit.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { recordSeenPayments } from "#lib/search-index/sync/store.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
  storeRecords,
} from "#tools/testing/fixtures/records-fixture.ts";
import { createPerson } from "#tools/testing/person.ts";
import { readDateSource } from "./date-source.ts";

useDashboardDatabase();

const zone = { time_zone: "Asia/Kathmandu" };
const noon = (day: string) => `${day}T12:00:00+05:45`;
const record = (status: string, start: string, end: string) =>
  makeSubscription({
    subscription_id: "s-1",
    status,
    current_period_start: noon(start),
    current_period_end: noon(end),
    next_billing_cycle: noon(end),
  });
const due = record("due", "2026-10-21", "2026-11-21");
const moved = record("active", "2026-10-21", "2026-11-28");
const paid = record("active", "2026-11-21", "2026-12-21");

const tell = ({ seller_id, mode }: KeyOwner, at: string) =>
  pool.query(
    `insert into received_delivery (seller_id, mode, delivery_id, verdict, event,
            subscription_id, body, received_at)
     values ($1, $2, $3, 'verified', 'checkout.succeeded', 's-1', '{}', $4)`,
    [seller_id, mode, `told ${at}`, at],
  );

async function open(first = due) {
  const owner = await createIndexedSeller(pool, { subscriptions: [first] });
  const user = await createPerson(pool);
  const asks = (subscription: typeof due, looking = user) =>
    readDateSource(pool, { owner, user: looking, seller: zone }, subscription);
  const move = (before: string, after: string) =>
    writeAudit(pool, {
      ...owner,
      user_id: user.id,
      action: "subscription.reschedule",
      subscription_id: "s-1",
      result: "done",
      detail: { next_billing_before: before, next_billing: after },
    });
  return { owner, user, asks, move };
}

test("a new billing date of an overdue subscription comes from the member who moved it, not from a payment", async () => {
  const { owner, asks, move } = await open();
  await move("2026-11-21", "2026-11-28");
  await storeRecords(pool, owner, { subscriptions: [moved] });
  expect(await asks(moved)).toMatchObject({ by: "move", is_own: true });
  expect(await asks(moved, await createPerson(pool))).toMatchObject({ is_own: false });
});

test("a billing date comes from a payment in the search index until somebody moves the date", async () => {
  const { owner, asks, move } = await open();
  await storeRecords(pool, owner, { subscriptions: [paid] });
  await recordSeenPayments(pool, owner);
  expect(await asks(paid)).toEqual({ by: "payment" });
  const further = record("active", "2026-11-21", "2026-12-28");
  // The date was moved at the service, without the dashboard.
  expect(await asks(further)).toBeNull();
  await move("2026-12-21", "2026-12-28");
  expect(await asks(further)).toMatchObject({ by: "move" });
  await move("2026-12-28", "2026-12-21");
  expect(await asks(paid)).toEqual({ by: "payment" });
});

test("a verified delivery counts as the payment of a billing date only if it is from the current period", async () => {
  const { owner, asks } = await open(paid);
  expect(await asks(paid)).toBeNull();
  await tell(owner, "2026-11-01T00:00:00Z");
  expect(await asks(paid)).toBeNull();
  await tell(owner, "2026-11-21T06:20:00Z");
  expect(await asks(paid)).toEqual({ by: "payment" });
});

test("an early renewal counts as the source of the first new billing date, but not of a later moved date", async () => {
  const untilDecember = record("active", "2020-11-21", "2020-12-21");
  const { owner, asks } = await open(untilDecember);
  await tell(owner, "2020-12-15T00:00:00Z");
  const ahead = record("active", "2020-11-21", "2021-01-21");
  // The answer is the same before the index has the new record, and after.
  expect(await asks(ahead)).toEqual({ by: "payment" });
  await storeRecords(pool, owner, { subscriptions: [ahead] });
  expect(await asks(ahead)).toEqual({ by: "payment" });
  const further = record("active", "2020-11-21", "2021-01-28");
  await storeRecords(pool, owner, { subscriptions: [further] });
  expect(await asks(further)).toBeNull();
});

test("another seller or mode cannot read where a billing date comes from", async () => {
  const { owner, user, asks, move } = await open();
  await move("2026-11-21", "2026-11-28");
  expect(await asks(moved)).not.toBeNull();
  const other = await createIndexedSeller(pool, { subscriptions: [moved] });
  for (const whose of [other, { ...owner, mode: "live" as const }])
    expect(await readDateSource(pool, { owner: whose, user, seller: zone }, moved)).toBeNull();
});
