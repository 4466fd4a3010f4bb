import { beforeEach, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { enqueueRefresh } from "#lib/search-index/sync/refresh-queue.ts";
import { ChangingService } from "#tools/testing/servers/changing-service.ts";
import { createIndexOwner, runSlice } from "#tools/testing/fixtures/search-index-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  deliverTo,
  storeReceiverSecret,
  signedRequest,
  checkoutSucceededBody,
  readReceiverToken,
} from "#tools/testing/fixtures/receiver-fixture.ts";
import { markNotificationsRead, readNotifications } from "./notification-store.ts";

useDashboardDatabase();
let owner: KeyOwner;
let user_id: string;
let api: ChangingService;

beforeEach(async () => {
  owner = await createIndexOwner();
  user_id = await newMember(owner);
  await storeReceiverSecret(owner);
  api = new ChangingService();
  api.fill(9);
  await runSlice(owner, api);
});

async function newMember({ seller_id }: KeyOwner): Promise<string> {
  const { rows } = await pool.query<{ user_id: string }>(
    `with person as (insert into app_user (email, name, password_hash)
                     values (gen_random_uuid() || '@example.com', 'Asha', '') returning id)
     insert into membership (user_id, seller_id, role) select id, $1, 'viewer' from person
     returning user_id`,
    [seller_id],
  );
  return rows[0]?.user_id ?? "";
}

const read = (ahead = 0) => readNotifications(pool, owner, { user_id, now: later(ahead) });
const kinds = async () =>
  (await read()).latest.map(({ kind, subscription_id }) => `${kind} ${subscription_id}`);
const deliver = async (id: string, body: unknown) =>
  deliverTo(await readReceiverToken(owner), await signedRequest({ id, body }));

async function change(at: number, status: string) {
  const { subscription_id } = api.subscriptions[at] ?? { subscription_id: "" };
  api.change(at, { status, is_active: status === "active" });
  await enqueueRefresh(pool, owner, "subscriptions", [subscription_id]);
  await runSlice(owner, api);
  return subscription_id;
}

test("each verified delivery appears once, newest first; late deliveries and examples do not appear", async () => {
  await deliver("one", checkoutSucceededBody("sub-1"));
  await deliver("two", { ...checkoutSucceededBody("sub-2"), event: "checkout.failed" });
  await deliver("two", { ...checkoutSucceededBody("sub-2"), event: "checkout.failed" });
  await deliver("example", { ...checkoutSucceededBody("sub-9"), reason: "example" });
  const late = await signedRequest({
    id: "three",
    body: checkoutSucceededBody("sub-3"),
    age: 900,
  });
  await deliverTo(await readReceiverToken(owner), late);
  await expect(kinds()).resolves.toEqual(["failed sub-2", "paid sub-1"]);
});

test("the end of a subscription appears with the buyer's name even if only the search index noticed the end", async () => {
  const id = await change(0, "cancelled");
  await expect(kinds()).resolves.toEqual([`ended ${id}`]);
  expect((await read()).latest[0]?.buyer).toMatch(/Buyer/);
});

const DAY = 24 * 60 * 60 * 1_000;
const later = (days: number) => new Date(Date.now() + days * DAY).toISOString();
const idOf = (at: number) => api.subscriptions[at]?.subscription_id ?? "";

/** Stores a promise for the subscription at this index. @param ahead days until the promised day */
async function promise(at: number, ahead: number) {
  const day = new Date(later(ahead)).toLocaleDateString("sv", { timeZone: "Asia/Kathmandu" });
  await pool.query(
    `insert into contact (seller_id, mode, subscription_id, person_id, person_name, kind, cycle, detail)
     values ($1, $2, $3, $4, 'Asha', 'promise', $5, $6)`,
    [
      owner.seller_id,
      owner.mode,
      idOf(at),
      user_id,
      api.subscriptions[at]?.next_billing_cycle ?? null,
      { promised_for: day },
    ],
  );
}

test("a promise appears from the promised day on, until it is paid or a month has passed", async () => {
  for (const [at, ahead] of [0, 1, -1, -31].entries()) await promise(at, ahead);
  await expect(kinds()).resolves.toEqual([`promised ${idOf(0)}`, `promised ${idOf(2)}`]);
  api.change(0, { next_billing_cycle: "2030-01-01T00:00:00Z" });
  await enqueueRefresh(pool, owner, "subscriptions", [idOf(0)]);
  await runSlice(owner, api);
  expect(await kinds()).not.toContain(`promised ${idOf(0)}`);
});

test("in a sandbox whose clock is ahead, promises appear by that clock and can be marked as read", async () => {
  await promise(0, 20);
  await promise(1, 40);
  expect((await read()).latest).toEqual([]);
  const { latest, unread } = await read(20);
  expect(latest).toMatchObject([{ kind: "promised", subscription_id: idOf(0) }]);
  expect(unread).toBe(1);
  await markNotificationsRead(pool, owner, {
    user_id,
    until: new Date(latest[0]?.at ?? 0).toISOString(),
  });
  await expect(read(20)).resolves.toMatchObject({ unread: 0, latest: [{ kind: "promised" }] });
  await deliver("one", checkoutSucceededBody("sub-1"));
  expect((await read(20)).unread).toBe(1);
});

test("notifications are marked as read for each person separately, and new notifications are unread", async () => {
  await deliver("one", checkoutSucceededBody("sub-1"));
  const other = await newMember(owner);
  const { unread, latest } = await read();
  expect(unread).toBe(1);
  await markNotificationsRead(pool, owner, {
    user_id,
    until: new Date(latest[0]?.at ?? 0).toISOString(),
  });
  expect((await read()).unread).toBe(0);
  expect((await readNotifications(pool, owner, { user_id: other, now: later(0) })).unread).toBe(
    1,
  );
  await markNotificationsRead(pool, owner, { user_id, until: new Date(0).toISOString() });
  await deliver("two", checkoutSucceededBody("sub-2"));
  expect((await read()).unread).toBe(1);
});

test("notifications of another seller or mode are not visible", async () => {
  await deliver("one", checkoutSucceededBody("sub-1"));
  await expect(
    readNotifications(pool, await createIndexOwner(), { user_id, now: later(0) }),
  ).resolves.toMatchObject({
    latest: [],
  });
  await expect(
    readNotifications(pool, { ...owner, mode: "live" }, { user_id, now: later(0) }),
  ).resolves.toMatchObject({ latest: [], unread: 0 });
});
