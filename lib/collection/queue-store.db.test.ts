import { describe, expect, test } from "vitest";
import { amountOrZero, amountsOwed } from "#lib/money/debt.ts";
import { calendarDay, dayInZone } from "#lib/format/format.ts";
import { amountToPay } from "#lib/money/price.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
  storeRecords,
} from "#tools/testing/fixtures/records-fixture.ts";
import {
  daysFromNow,
  DAY_MS,
  dueSubscription,
  ALL_ROWS,
  storeContact,
  storeKeptDebt,
  buyerNamesOf,
  queueParameters,
  storeReceivedDelivery,
  createActor,
} from "#tools/testing/fixtures/collection-fixture.ts";
import { seededRandom } from "#tools/testing/seeded-random.ts";
import {
  daysWithinPriority,
  priorityOf,
  byPriority,
  NEVER_CONTACTED,
  collectionStatusOf,
  STALE_CHECKOUT_DAYS,
} from "./rules.ts";
import type { QueueSearch } from "./search.ts";
import { readQueueCounts, readQueue, type QueueRow } from "./queue-store.ts";

useDashboardDatabase();

const ZONES = ["Asia/Kathmandu", "America/New_York", "UTC", "Pacific/Apia"];
test("the most urgent come first, promised and snoozed ones last", async () => {
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

test("a kept debt stays in the queue until it is paid, and a promise moves it down", async () => {
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

test("promises, snoozes and reminders of one billing date do not apply to the next", async () => {
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

describe("for generated queues", () => {
  test.each(ZONES.map((zone, seed) => [zone, seed] as const))(
    "in %s the database says what the rules say (seed %i)",
    async (time_zone, seed) => {
      const draw = seededRandom(seed + 1);
      const statuses = ["due", "due", "active", "pending_checkout", "inactive"] as const;
      const now = new Date(Date.now() - Math.floor(draw() * DAY_MS)).toISOString();
      const subscriptions = Array.from({ length: 120 }, () => {
        const status = statuses[Math.floor(draw() * statuses.length)] ?? "due";
        const moment = daysFromNow(draw() * 30 - (status === "due" ? 29 : 5), Date.parse(now));
        return makeSubscription({
          status,
          is_active: status === "active",
          next_billing_cycle: status === "pending_checkout" ? null : moment,
          // One record in ten has no creation date.
          created_at: draw() < 0.1 ? "" : daysFromNow(-draw() * 50, Date.parse(now)),
          product: { price: String(100 * Math.floor(draw() * 4)) },
        });
      });
      const owner = await createIndexedSeller(pool, { subscriptions });
      const worker = await createActor(owner);
      for (const record of subscriptions) {
        if (draw() < 0.5) continue;
        const day = calendarDay(daysFromNow(draw() * 4 - 2, Date.parse(now)), time_zone);
        const kind = (["promise", "snooze", "reminder"] as const)[Math.floor(draw() * 3)];
        const stale = draw() < 0.2 ? daysFromNow(-60) : record.next_billing_cycle;
        await storeContact(worker, record, {
          kind: kind ?? "reminder",
          cycle: stale,
          detail: { promised_for: day, snoozed_until: day },
        });
        if (draw() < 0.3) await storeReceivedDelivery(owner, record.subscription_id);
      }
      for (const record of subscriptions) {
        if (draw() < 0.7 || record.status === "pending_checkout") continue;
        const since = daysFromNow(-draw() * 20, Date.parse(now));
        // One debt in four is about a date that was not moved: the subscription is due and does not
        // owe twice.
        const cycle = draw() < 0.25 ? record.next_billing_cycle : since;
        await storeKeptDebt(worker, record, { cycle, since: dayInZone(since, time_zone) });
      }
      for (const grace of [7, null]) {
        const asked = queueParameters(worker, { time_zone, now, grace });
        const rows = await readQueue(pool, owner, asked, ALL_ROWS);
        const hidden = await readQueue(
          pool,
          owner,
          { ...asked, search: { ...asked.search, show: "snoozed" } },
          ALL_ROWS,
        );
        const all = [...rows, ...hidden];
        const today = dayInZone(now, time_zone);
        const clock = { time_zone, now, grace, ahead: 7 } as const;
        const expected = all.map(({ record, contacted, failed_at }) => {
          const status = collectionStatusOf(record, contacted, failed_at, clock);
          expect(status.group).not.toBeNull();
          const place = {
            band: priorityOf(status),
            days: daysWithinPriority(status, contacted, today),
            amount: amountOrZero(
              amountsOwed(record, amountToPay({}, record.product), contacted.debt)[0].amount,
            ),
            id: record.subscription_id,
          };
          return { place, status, record };
        });
        expect(all.map(({ place }) => place)).toEqual(
          expected.toSorted(byPriority).map(({ place }) => place),
        );
        // The query lists everything that the rules list.
        const listed = new Set(all.map(({ place }) => place.id));
        const missed = subscriptions.filter(
          (record) =>
            !listed.has(record.subscription_id) &&
            collectionStatusOf(record, NEVER_CONTACTED, null, clock).group !== null,
        );
        expect(missed).toEqual([]);
        expect(all.some(({ record }) => record.status === "inactive")).toBe(true);
        const cells = await readQueueCounts(pool, owner, asked);
        expect(cells.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
        for (const cell of cells) {
          const same = expected.filter(
            ({ status }) =>
              status.group === cell.group &&
              status.turn === cell.turn &&
              status.is_failed === cell.is_failed &&
              status.is_broken === cell.is_broken,
          );
          expect(same).toHaveLength(cell.count);
        }
        // Paging gives the same rows.
        const paged: QueueRow[] = [];
        for (;;) {
          const after = paged.at(-1)?.place ?? null;
          const page = await readQueue(pool, owner, asked, { after, limit: 7 });
          paged.push(...page);
          if (page.length < 7) break;
        }
        expect(paged.map(({ place }) => place.id)).toEqual(rows.map(({ place }) => place.id));
      }
    },
  );
});
