import { beforeEach, expect, test } from "vitest";
import type { BillingPeriod, Product } from "#contract/products.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { recordReceivedEvent } from "#lib/search-index/sync/received-events.ts";
import { enqueueRefresh } from "#lib/search-index/sync/refresh-queue.ts";
import { ChangingService } from "#tools/testing/changing-service.ts";
import { compareAll } from "#tools/testing/check-desk.ts";
import { newOwner, turn } from "#tools/testing/copy-desk.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard.ts";

useDashboardDatabase();
let owner: KeyOwner;
let api: ChangingService;

beforeEach(async () => {
  owner = await newOwner();
  api = new ChangingService();
  api.fill(9);
  await turn(owner, api);
});

const said = (subscription_id: string, new_status: string | null = null) =>
  recordReceivedEvent(pool, owner, { subscription_id, event: "subscription.status_changed", new_status });

const eventsOf = async () => {
  const { report } = await compareAll(owner, api, "sample");
  if (!report.events) throw new Error("no events were compared");
  return report.events;
};

/** Changes it at the service and in the copy, so many minutes ago. */
async function changeAgo(minutes: number, id: string, status: string) {
  const at = api.subscriptions.findIndex((one) => one.subscription_id === id);
  api.change(at, { status, is_active: status === "active" });
  await enqueueRefresh(pool, owner, "subscriptions", [id]);
  await turn(owner, api);
  await pool.query(
    `update mirror_change set seen_at = now() - make_interval(mins => $3)
      where seller_id = $1 and subscription_id = $2 and seen_at > now() - interval '10 seconds'`,
    [owner.seller_id, id, minutes],
  );
}

/** The first webhook came so many minutes ago, and what was said came then. */
const heardAgo = (minutes: number) =>
  pool.query(
    `with heard as (update mirror set events_since = now() - make_interval(mins => $2)
       where seller_id = $1)
     update mirror_event set received_at = now() - make_interval(mins => $2) where seller_id = $1`,
    [owner.seller_id, minutes],
  );

test("where no webhook ever came none is missed", async () => {
  await changeAgo(60, "sub-1", "due");
  await expect(eventsOf()).resolves.toMatchObject({ since: null, missed: { count: 0 } });
});

test("a change of which no webhook told is named, one that was told or is fresh is not", async () => {
  await said("sub-9");
  await heardAgo(600);
  await changeAgo(60, "sub-1", "due");
  await changeAgo(60, "sub-2", "due");
  await said("sub-2", "due");
  await changeAgo(60, "sub-3", "cancelled");
  // It told of another status.
  await said("sub-3", "due");
  await changeAgo(1, "sub-4", "due");
  const { missed } = await eventsOf();
  expect(missed.count).toBe(2);
  expect(missed.shown.map((one) => one.subscription_id).toSorted()).toEqual(["sub-1", "sub-3"]);
  expect(missed.shown.find((one) => one.subscription_id === "sub-1")).toMatchObject({
    old_status: "active",
    new_status: "due",
  });
});

test("of two changes each needs its own webhook", async () => {
  await said("sub-9");
  await heardAgo(600);
  await changeAgo(50, "sub-1", "due");
  await said("sub-1", "active");
  await changeAgo(20, "sub-1", "active");
  await expect(eventsOf()).resolves.toMatchObject({
    missed: { count: 1, shown: [{ new_status: "due" }] },
  });
});

test("where only payments are announced, only payments can be missed", async () => {
  const event = "checkout.succeeded";
  await recordReceivedEvent(pool, owner, { subscription_id: "sub-9", event, new_status: null });
  await heardAgo(600);
  const { subscription_id } = api.create({ status: "pending_checkout" });
  await turn(owner, api);
  await changeAgo(60, "sub-1", "due");
  await changeAgo(60, subscription_id, "active");
  const { missed } = await eventsOf();
  expect(missed.shown.map((one) => one.subscription_id)).toEqual([subscription_id]);
});

test("a webhook about a record that nobody has is named, and one with a wrong status after reading again", async () => {
  await said("made-up", "active");
  await said("sub-1", "cancelled");
  await said("sub-2", "due");
  await said("sub-2", "active");
  // The copy is behind: the service says what the webhook said.
  api.change(0, { status: "due", is_active: false });
  await said("sub-9", "due");
  const { unknown, contrary, received } = await eventsOf();
  expect(received).toBe(5);
  expect(unknown).toMatchObject({ count: 1, shown: [{ subscription_id: "made-up" }] });
  expect(contrary).toMatchObject({
    count: 1,
    shown: [{ subscription_id: "sub-1", said: "cancelled", status: "active" }],
  });
});

/** The buyer of another subscription, with the same phone as somebody wrote it. */
const sameBuyer = (one: Subscription, phone: string, changes: Partial<Subscription>) =>
  Object.assign(api.create(changes), { client: { ...one.client, phone } });

test("a buyer who owes for a plan and has begun to buy it anew is named", async () => {
  const due = api.create({ status: "due" });
  const pending = sameBuyer(due, `+977 ${due.client.phone}`, { status: "pending_checkout" });
  const other = api.create({ status: "due" });
  const elsewhere = sameBuyer(other, other.client.phone, { status: "pending_checkout" });
  elsewhere.product.plan_name = "Silver";
  await turn(owner, api);
  const { report } = await compareAll(owner, api, "sample");
  expect(report.doubles).toMatchObject({
    count: 1,
    shown: [{ due_id: due.subscription_id, pending_id: pending.subscription_id }],
  });
});

test("a phone that no customer has is named", async () => {
  const stray = api.create();
  stray.client.phone = "9812345678";
  await turn(owner, api);
  const { report } = await compareAll(owner, api, "sample");
  expect(report.strays).toMatchObject({
    count: 1,
    shown: [{ subscription_id: stray.subscription_id, phone: "9812345678" }],
  });
});

const period = (changes: Partial<BillingPeriod>): BillingPeriod => ({
  pbp_id: "pbp-1",
  interval_type: "month",
  interval_count: 1,
  label: "Monthly",
  price: "1200.00",
  currency: "NPR",
  is_current: true,
  is_limited: false,
  is_archived: false,
  offers: [],
  ...changes,
});

test("a price or a period that is not listed any more is named with how many still have it", async () => {
  const product = api.products[0] as Product;
  const list = (billing_periods: BillingPeriod[]) =>
    (product.plan = [{ plan_id: "1", plan_name: "Gold", description: "", billing_periods }]);
  const named = async () => {
    await turn(owner, api);
    return (await compareAll(owner, api, "sample")).report.prices;
  };
  list([period({ price: "1200.0" })]);
  await expect(named()).resolves.toMatchObject({ count: 0 });

  list([period({ price: "1300.00" })]);
  await expect(named()).resolves.toMatchObject({
    count: 1,
    shown: [{ price: "1200.00", listed_price: "1300.00", subscriptions: 9, plan_name: "Gold" }],
  });

  list([period({ pbp_id: "pbp-2" })]);
  api.change(0, { status: "cancelled", is_active: false });
  await expect(named()).resolves.toMatchObject({
    count: 1,
    shown: [{ listed_price: null, subscriptions: 8 }],
  });
});
