import { expect, test } from "vitest";
import { calendarDay, dayInZone } from "#lib/format/format.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
  storeRecords,
} from "#tools/testing/fixtures/records-fixture.ts";
import {
  daysFromNow,
  dueSubscription,
  ALL_ROWS,
  storeContact,
  storeKeptDebt,
  buyerNamesOf,
  queueParameters,
  storeReceivedDelivery,
  createActor,
} from "#tools/testing/fixtures/collection-fixture.ts";
import { storeMadeImport } from "#tools/testing/fixtures/import-fixture.ts";
import { STALE_CHECKOUT_DAYS } from "./rules.ts";
import { type QueueSearch } from "./search.ts";
import { readQueueCounts, readQueue } from "./queue-store.ts";

useDashboardDatabase();

test("the collection queue lists the most urgent first and promised or reminded ones last, and hides snoozed ones", async () => {
  const rows = {
    grace: dueSubscription(6, "Last days"),
    richer: dueSubscription(3, "Richer", {
      product: { ...makeSubscription().product, price: "900.00" },
    }),
    poorer: dueSubscription(3, "Poorer"),
    early: dueSubscription(1, "Early"),
    broken: dueSubscription(2, "Broken promise"),
    promised: dueSubscription(3, "Promised"),
    handled: dueSubscription(4, "Handled"),
    snoozed: dueSubscription(4, "Snoozed"),
    soon: makeSubscription({
      next_billing_cycle: daysFromNow(3),
      client: { full_name: "Soon" },
    }),
    later: makeSubscription({
      next_billing_cycle: daysFromNow(20),
      client: { full_name: "Later" },
    }),
    waiting: makeSubscription({
      status: "pending_checkout",
      next_billing_cycle: null,
      created_at: daysFromNow(-2),
      client: { full_name: "Waiting" },
    }),
    stale: makeSubscription({
      status: "pending_checkout",
      next_billing_cycle: null,
      created_at: daysFromNow(-STALE_CHECKOUT_DAYS - 3),
      client: { full_name: "Given up" },
    }),
    failed: makeSubscription({
      status: "pending_checkout",
      next_billing_cycle: null,
      created_at: daysFromNow(-STALE_CHECKOUT_DAYS - 3),
      client: { full_name: "Failed" },
    }),
  };
  const owner = await createIndexedSeller(pool, { subscriptions: Object.values(rows) });
  const worker = await createActor(owner);
  const day = (days: number) => calendarDay(daysFromNow(days), "Asia/Kathmandu");
  await storeContact(worker, rows.broken, {
    kind: "promise",
    channel: null,
    detail: { promised_for: day(-1) },
  });
  await storeContact(worker, rows.promised, {
    kind: "promise",
    channel: null,
    detail: { promised_for: day(0) },
  });
  await storeContact(worker, rows.snoozed, {
    kind: "snooze",
    channel: null,
    detail: { snoozed_until: day(1) },
  });
  await storeContact(worker, rows.handled, {});
  await storeReceivedDelivery(owner, rows.failed.subscription_id);
  const asked = queueParameters(worker);
  expect(buyerNamesOf(await readQueue(pool, owner, asked, ALL_ROWS))).toEqual([
    "Last days",
    "Broken promise",
    "Failed",
    "Richer",
    "Poorer",
    "Early",
    "Waiting",
    "Soon",
    "Given up",
    "Promised",
    "Handled",
  ]);
  const narrowed = async (search: Partial<QueueSearch>) =>
    buyerNamesOf(
      await readQueue(
        pool,
        owner,
        { ...asked, search: { ...asked.search, ...search } },
        ALL_ROWS,
      ),
    );
  expect(await narrowed({ group: "failed" })).toEqual(["Failed"]);
  expect(await narrowed({ group: "grace" })).toEqual(["Last days"]);
  expect(await narrowed({ show: "snoozed" })).toEqual(["Snoozed"]);
  expect(await narrowed({ show: "promised" })).toEqual(["Promised"]);
  expect(await narrowed({ show: "broken" })).toEqual(["Broken promise"]);
  expect(await narrowed({ group: "soon", ahead: 30 })).toEqual(["Soon", "Later"]);
  expect(await narrowed({ product: "nothing" })).toEqual([]);
  expect(
    buyerNamesOf(await readQueue(pool, owner, { ...asked, words: "richer" }, ALL_ROWS)),
  ).toEqual(["Richer"]);
  // Without a known grace period the longest overdue comes first.
  expect(
    buyerNamesOf(await readQueue(pool, owner, { ...asked, grace: null }, ALL_ROWS)).slice(0, 4),
  ).toEqual(["Broken promise", "Failed", "Last days", "Richer"]);
});

test("a kept debt stays in the collection queue, with amount and reason, until the debt is paid", async () => {
  const moved = makeSubscription({
    subscription_id: "moved",
    current_period_start: daysFromNow(-30),
    next_billing_cycle: daysFromNow(20),
  });
  const owner = await createIndexedSeller(pool, {
    subscriptions: [moved, dueSubscription(1, "Early")],
  });
  const worker = await createActor(owner);
  const since = dayInZone(daysFromNow(-4), "Asia/Kathmandu");
  await storeKeptDebt(worker, moved, { cycle: daysFromNow(-4), since });
  const asked = queueParameters(worker);
  const read = () => readQueue(pool, owner, asked, ALL_ROWS);
  const [first] = await read();
  expect(first).toMatchObject({
    record: { subscription_id: "moved" },
    place: { band: 3, days: -4, amount: "650.00" },
    contacted: { debt: { amount: "650.00", since, name: "Asha", reason: "hardship" } },
  });
  const [cell] = (await readQueueCounts(pool, owner, asked)).filter(
    ({ amount }) => amount !== "500",
  );
  expect(cell).toMatchObject({ group: "due", amount: expect.stringMatching(/^(650|1150)/) });
  await storeRecords(pool, owner, {
    subscriptions: [
      { ...moved, current_period_start: daysFromNow(20), next_billing_cycle: daysFromNow(50) },
    ],
  });
  expect(buyerNamesOf(await read())).toEqual(["Early"]);
});

test("promises and reminders apply only to their billing date, but a buyer's language and note remain", async () => {
  const record = dueSubscription(3, "Asha");
  const owner = await createIndexedSeller(pool, { subscriptions: [record] });
  const worker = await createActor(owner);
  await storeContact(worker, record, { language: "ne" });
  await storeContact(worker, record, {
    kind: "promise",
    channel: null,
    detail: { promised_for: "2026-01-01" },
  });
  await storeContact(worker, record, {
    kind: "note",
    channel: null,
    detail: { text: "At noon" },
  });
  const read = async () =>
    (await readQueue(pool, owner, queueParameters(worker), ALL_ROWS))[0]?.contacted;
  expect(await read()).toMatchObject({
    reminders: 1,
    promised_for: "2026-01-01",
    language: "ne",
    last: { channel: "whatsapp", person: { name: "Asha" } },
    note: { text: "At noon" },
  });
  await storeRecords(pool, owner, {
    subscriptions: [{ ...record, next_billing_cycle: daysFromNow(-1) }],
  });
  expect(await read()).toMatchObject({
    reminders: 0,
    promised_for: null,
    language: "ne",
    last: { channel: "whatsapp" },
    note: { text: "At noon" },
  });
});

test("the collection queue of an import lists and counts only the subscriptions that the import created", async () => {
  const waiting = (full_name: string) =>
    makeSubscription({
      status: "pending_checkout",
      next_billing_cycle: null,
      created_at: daysFromNow(-1),
      client: { full_name },
    });
  const made = waiting("Made");
  const subscriptions = [made, waiting("Other"), dueSubscription(2, "Due")];
  const owner = await createIndexedSeller(pool, { subscriptions });
  const worker = await createActor(owner);
  const import_run = await storeMadeImport(owner, [made.subscription_id]);
  const asked = queueParameters(worker);
  const ofImport = { ...asked, search: { ...asked.search, import_run } };
  const names = async (question: typeof asked, who = owner) =>
    buyerNamesOf(await readQueue(pool, who, question, ALL_ROWS));
  expect(await names(asked)).toHaveLength(3);
  expect(await names(ofImport)).toEqual(["Made"]);
  expect(await names({ ...ofImport, words: "other" })).toEqual([]);
  expect(await readQueueCounts(pool, owner, ofImport)).toMatchObject([
    { group: "waiting", count: 1 },
  ]);
  const stranger = await createIndexedSeller(pool, { subscriptions });
  expect(await names(ofImport, stranger)).toEqual([]);
});
