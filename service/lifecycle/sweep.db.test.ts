import { describe, expect, it } from "vitest";
import { transaction, type Database } from "../db/database.ts";
import { lockSubscription } from "../subscriptions/store.ts";
import { beginAtBuyersPage } from "../testing/buyer-browser.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";
import { lockDueSubscriptions, sweepLifecycle } from "./sweep.ts";

const service = useTestService();
const ZONES = ["Asia/Kathmandu", "America/Los_Angeles", "Pacific/Kiritimati"];
const DUE = "subscription.status_changed: active > due (billing_date_passed)";
const INACTIVE = "subscription.status_changed: due > inactive (grace_elapsed)";

const sweep = () => sweepLifecycle({ pool: service.pool, now: service.clock.now });

async function timesOf({ seller }: SellerApi, id: string) {
  const { rows } = await service.pool.query<{ reason: string; created_at: Date }>(
    `select reason, created_at from event
     where seller_id = $1 and subscription_id = $2 order by sequence`,
    [seller.seller_id, id],
  );
  return rows.map(({ reason, created_at }) => `${reason} ${created_at.toISOString()}`);
}

describe("the sweep", () => {
  it(
    "Spec, Transitions: six concurrent sweeps over sellers in many time zones make each status change once",
    { timeout: 60_000 },
    async () => {
      const apis = await Promise.all(
        ZONES.map((time_zone) => SellerApi.open(service, { time_zone, grace_days: 3 })),
      );
      const owned: { api: SellerApi; id: string; isCancelled: boolean }[] = [];
      for (const api of apis)
        for (let buyer = 0; buyer < 12; buyer += 1) {
          const phone = `98${String(buyer).padStart(8, "0")}`;
          const id = await api.createActive(api.periods.weekly, { phone });
          const isCancelled = buyer % 3 === 0;
          if (isCancelled) await api.cancel(id);
          owned.push({ api, id, isCancelled });
        }
      service.clock.set("2026-04-20T00:00:00Z");
      const moved = await Promise.all(Array.from({ length: 6 }, sweep));
      expect(moved.reduce((sum, one) => sum + one)).toBe(owned.length);
      expect(await sweep()).toBe(0);
      for (const { api, id, isCancelled } of owned) {
        const ended =
          "subscription.status_changed: pending_cancellation > cancelled (period_ended)";
        const [, , ...later] = await api.events(id);
        expect(later.slice(isCancelled ? 1 : 0)).toEqual(
          isCancelled ? [ended] : [DUE, INACTIVE],
        );
      }
      for (const api of apis)
        expect(await api.list()).toMatchObject({
          active_subscriptions: 0,
          inactive_subscriptions: 8,
        });
    },
  );

  it("makes the status changes of a missed month in order, each event with the time when its change was due", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive(api.periods.weekly);
    service.clock.set("2026-05-01T00:00:00Z");
    expect(await sweep()).toBe(1);
    // Seven days of grace after 17 March; a day in Kathmandu begins at 18:15 UTC.
    expect((await timesOf(api, id)).slice(2)).toEqual([
      "billing_date_passed 2026-03-17T18:15:00.000Z",
      "grace_elapsed 2026-03-24T18:15:00.000Z",
    ]);
  });

  it("Spec choice, time zone of dates: changes statuses at the seller's midnight, even at a change of daylight saving time", async () => {
    const api = await SellerApi.open(service, {
      time_zone: "America/Los_Angeles",
      grace_days: 0,
    });
    // Clocks go forward on 8 March and back on 1 November: -08:00, then -07:00, then -08:00 again.
    for (const [start, date, end] of [
      ["2026-03-05T20:00:00Z", "2026-03-07", "2026-03-08T08:00:00Z"],
      ["2026-03-05T20:00:00Z", "2026-03-08", "2026-03-09T07:00:00Z"],
      ["2026-10-30T20:00:00Z", "2026-11-01", "2026-11-02T08:00:00Z"],
    ] as const) {
      service.clock.set(start);
      const id = await api.createActive();
      await api.reschedule(id, date);
      service.clock.set(end);
      service.clock.advance(-1);
      await sweep();
      expect((await api.read(id)).status).toBe("active");
      service.clock.advance(1);
      await sweep();
      expect((await api.read(id)).status).toBe("inactive");
    }
  });

  it("Spec choice, month ends: a subscription billed on the 31st is billed on 31 March after February", async () => {
    service.clock.set("2026-01-31T06:00:00Z");
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    for (const [moment, date] of [
      ["2026-02-28T18:15:00Z", "2026-03-31"],
      ["2026-03-31T18:15:00Z", "2026-04-30"],
    ] as const) {
      service.clock.set(moment);
      await sweep();
      expect((await api.read(id)).status).toBe("due");
      await api.pay(id);
      expect((await api.read(id)).next_billing_cycle).toContain(date);
    }
  });

  it("uses a seller's changed grace period and time zone", async () => {
    const api = await SellerApi.open(service, { grace_days: 90 });
    const id = await api.createActive(api.periods.weekly);
    service.clock.set("2026-03-20T00:00:00Z");
    await sweep();
    expect((await api.read(id)).status).toBe("due");
    await service.pool.query(
      "update seller set grace_days = 1, time_zone = 'Pacific/Kiritimati' where seller_id = $1",
      [api.seller.seller_id],
    );
    await sweep();
    expect((await timesOf(api, id)).at(-1)).toBe("grace_elapsed 2026-03-18T10:00:00.000Z");
  });

  it("skips a seller while another sweep has locked one of the seller's subscriptions", async () => {
    const apis = [await SellerApi.open(service), await SellerApi.open(service)];
    const sellers = apis.map(({ seller }) => seller.seller_id);
    for (const api of apis)
      for (const phone of ["9800000001", "9800000002"])
        await api.createActive(api.periods.weekly, { phone });
    service.clock.set("2026-03-20T00:00:00Z");
    const claim = (database: Database, limit: number) =>
      lockDueSubscriptions(database, service.clock.now(), { except: [], limit });
    await transaction(service.pool, async (database) => {
      const [mine] = (await claim(database, 1)).claimed;
      const theirs = await transaction(service.pool, (other) => claim(other, 1_000));
      const found = theirs.claimed.filter(({ seller_id }) => sellers.includes(seller_id));
      expect(found).toHaveLength(2);
      expect(found.map(({ seller_id }) => seller_id)).not.toContain(mine?.seller_id);
    });
    await sweep();
  });

  it("locks only the seller whose subscriptions the sweep changes, even if the query plan uses no indexes", async () => {
    const apis = [await SellerApi.open(service), await SellerApi.open(service)];
    for (const api of apis) await api.createActive(api.periods.weekly);
    service.clock.set("2026-03-20T00:00:00Z");
    const claim = (database: Database, limit: number) =>
      lockDueSubscriptions(database, service.clock.now(), { except: [], limit });
    await transaction(service.pool, async (database) => {
      // Simulates a planner whose table is small or whose statistics are old.
      await database.query("set local enable_indexscan = off");
      await database.query("set local enable_bitmapscan = off");
      // Makes the connection plan again, because it already has a plan.
      await database.query("set local plan_cache_mode = force_custom_plan");
      await claim(database, 1);
      const { rows } = await database.query<{ count: number }>(
        `select count(*)::int as count from pg_locks
         where locktype = 'advisory' and classid = 70 and pid = pg_backend_pid()`,
      );
      expect(rows).toEqual([{ count: 1 }]);
    });
    await sweep();
  });

  it("does not delay a buyer's code while the sweep has locked the seller", async () => {
    const { browser } = await beginAtBuyersPage(service);
    service.clock.set("2026-06-20T00:00:00Z");
    await transaction(service.pool, async (database) => {
      const due = { except: [], limit: 100 };
      const { claimed } = await lockDueSubscriptions(database, service.clock.now(), due);
      expect(claimed).not.toEqual([]);
      expect(await browser.ask("9800000001")).not.toBe("");
    });
    await sweep();
  });

  it("leaves a subscription that a request has locked to the next sweep", async () => {
    const api = await SellerApi.open(service);
    const held = await api.createActive(api.periods.weekly);
    const free = await api.createActive(api.periods.weekly, { phone: "9800000002" });
    service.clock.set("2026-03-20T00:00:00Z");
    await transaction(service.pool, async (database) => {
      await lockSubscription(database, api.seller.seller_id, held);
      expect(await sweep()).toBe(1);
    });
    expect(await sweep()).toBe(1);
    for (const id of [held, free]) expect((await api.read(id)).status).toBe("due");
  });

  it("reports a subscription that fails and still changes the other subscriptions", async () => {
    const api = await SellerApi.open(service);
    const broken = await api.createActive(api.periods.weekly);
    const sound = await api.createActive(api.periods.weekly, { phone: "9800000002" });
    await service.pool.query(
      `alter table event add constraint broken check
         (subscription_id <> '${broken}' or reason <> 'billing_date_passed')`,
    );
    service.clock.set("2026-03-20T00:00:00Z");
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    expect(await sweepLifecycle({ pool: service.pool, now: service.clock.now, onError })).toBe(
      1,
    );
    await service.pool.query("alter table event drop constraint broken");
    expect(errors).toHaveLength(1);
    expect((await api.read(broken)).status).toBe("active");
    expect((await api.read(sound)).status).toBe("due");
    expect(await sweep()).toBe(1);
  });

  it("uses a changed grace period even for the newest of a seller's 2,500 subscriptions", async () => {
    const api = await SellerApi.open(service, { grace_days: 90 });
    await api.createActive(api.periods.weekly);
    await service.pool.query(
      `insert into subscription
         select (jsonb_populate_record(s, jsonb_build_object(
           'subscription_id', gen_random_uuid(), 'position', n, 'status', 'inactive',
           'next_billing_cycle', null))).*
       from subscription s, generate_series(2, 2499) n where s.seller_id = $1`,
      [api.seller.seller_id],
    );
    await service.pool.query("update seller set last_position = 2499 where seller_id = $1", [
      api.seller.seller_id,
    ]);
    const newest = await api.createActive(api.periods.weekly, { phone: "9800000002" });
    service.clock.set("2026-03-20T00:00:00Z");
    await sweep();
    await service.pool.query("update seller set grace_days = 1 where seller_id = $1", [
      api.seller.seller_id,
    ]);
    await sweep();
    expect((await api.read(newest)).status).toBe("inactive");
  });
});
