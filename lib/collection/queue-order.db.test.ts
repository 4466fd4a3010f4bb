import { describe, expect, test } from "vitest";
import { amountOrZero, amountsOwed } from "#lib/money/debt.ts";
import { calendarDay, dayInZone } from "#lib/format/format.ts";
import { amountToPay } from "#lib/money/price.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
} from "#tools/testing/fixtures/records-fixture.ts";
import {
  daysFromNow,
  DAY_MS,
  ALL_ROWS,
  storeContact,
  storeKeptDebt,
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
} from "./rules.ts";
import { sumEverything } from "#lib/search-index/sync/daily-sums.ts";
import { ENTRY_FILTERS, passesFilters, QUEUE_GROUPS } from "./search.ts";
import { readQueueCounts, readQueue, type QueueRow } from "./queue-store.ts";

useDashboardDatabase();

const ZONES = ["Asia/Kathmandu", "America/New_York", "UTC", "Pacific/Apia"];

describe("generated collection queues", () => {
  test.each(ZONES.map((zone, seed) => [zone, seed] as const))(
    "in the time zone %s are listed, sorted, filtered and counted in SQL as in TypeScript (seed %i)",
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
      await sumEverything(pool, owner, time_zone);
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
              status.is_broken === cell.is_broken &&
              status.is_for_today === cell.is_for_today,
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
        for (const show of ENTRY_FILTERS) {
          const search = { ...asked.search, show };
          const shown = await readQueue(pool, owner, { ...asked, search }, ALL_ROWS);
          const same = expected.filter(({ status }) =>
            passesFilters(search, status, null, asked.person_id),
          );
          expect(new Set(shown.map(({ place }) => place.id))).toEqual(
            new Set(same.map(({ place }) => place.id)),
          );
        }
        for (const group of QUEUE_GROUPS) {
          const search = { ...asked.search, group };
          const ofGroup = await readQueue(pool, owner, { ...asked, search }, ALL_ROWS);
          const same = expected.filter(
            ({ status }) =>
              status.turn !== "snoozed" &&
              (group === "failed" ? status.is_failed : status.group === group),
          );
          expect(new Set(ofGroup.map(({ place }) => place.id))).toEqual(
            new Set(same.map(({ place }) => place.id)),
          );
        }
      }
    },
  );
});
