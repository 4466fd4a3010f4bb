import { describe, expect, it } from "vitest";
import { transaction } from "../db/database.ts";
import { requestCode, submitCodePage } from "../testing/checkout-forms.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";
import { lockCheckout } from "./open.ts";
import { settlePayment } from "./settle.ts";

const service = useTestService();

const payments = async (id: string) => {
  const { rows } = await service.pool.query<{ amount: string; period_start: Date }>(
    "select amount::text, period_start from payment where subscription_id = $1 order by paid_at",
    [id],
  );
  return rows;
};

/** Records a payment that reaches the service without the buyer, as by a provider's callback. */
const settle = (id: string) =>
  transaction(service.pool, async (database) => {
    const now = service.clock.now();
    const checkout = await lockCheckout(database, id, now);
    return settlePayment(database, checkout, { method: "bank" });
  });

describe("a first payment", () => {
  it("Spec, Transitions, payment succeeds: activates the subscription and begins a period now", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    expect(await api.read(id)).toMatchObject({
      status: "active",
      is_active: true,
      current_period_start: "2026-03-10T06:00:00.000Z",
      current_period_end: "2026-04-10T06:15:00.000Z",
      next_billing_cycle: "2026-04-10T06:15:00.000Z",
    });
  });

  it("sends checkout.succeeded and the status change", async () => {
    const api = await SellerApi.open(service);
    expect(await api.events(await api.createActive())).toEqual([
      "checkout.succeeded: pending_checkout > active (payment)",
      "subscription.status_changed: pending_checkout > active (payment)",
    ]);
  });

  it("Spec choice, failed payments: leaves the subscription pending if it fails, sends an event, and the link stays valid", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    expect(await api.pay(id, "decline")).toBe("declined");
    expect((await api.read(id)).status).toBe("pending_checkout");
    expect(await api.events(id)).toEqual([
      "checkout.failed: pending_checkout > pending_checkout (declined)",
    ]);
    expect(await api.pay(id)).toBe("paid");
  });

  it("Spec choice, one-time purchases: begins no period for a one-time purchase", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive(api.periods.once);
    expect(await api.read(id)).toMatchObject({
      status: "active",
      current_period_start: null,
      current_period_end: null,
      next_billing_cycle: null,
    });
    // Spec, Other rules 2: a one-time purchase is never due.
    await api.wait(400);
    expect((await api.read(id)).status).toBe("active");
  });

  it("Spec choice, amounts: subtracts the active offer, on its first and last day too, and then adds VAT", async () => {
    const api = await SellerApi.open(service);
    await service.pool.query(
      `insert into offer (id, pbp_id, seller_id, discount_amount, starts_at, valid_until)
       values (gen_random_uuid(), $1, $2, 100, '2026-03-10', '2026-03-10')`,
      [api.periods.monthly, api.seller.seller_id],
    );
    const inTime = await api.createActive();
    expect(await payments(inTime)).toMatchObject([{ amount: "1017.00" }]);
    service.clock.set("2026-03-10T18:15:00Z");
    const later = await api.createActive(api.periods.monthly, { phone: "9800000002" });
    expect(await payments(later)).toMatchObject([{ amount: "1130.00" }]);
  });

  it("Spec choice, month ends: on the 31st leads to billing dates on the last day of shorter months", async () => {
    const api = await SellerApi.open(service);
    service.clock.set("2026-01-31T06:00:00Z");
    const id = await api.createActive();
    const dates = [(await api.read(id)).next_billing_cycle];
    for (const day of ["2026-03-01", "2026-04-01"]) {
      service.clock.set(`${day}T06:00:00Z`);
      await api.wait(0);
      await api.pay(id);
      dates.push((await api.read(id)).next_billing_cycle);
    }
    expect(dates.map((date) => date?.slice(0, 10))).toEqual([
      "2026-02-28",
      "2026-03-31",
      "2026-04-30",
    ]);
  });
});

describe("a later payment", () => {
  it("Spec choice, payment of a due subscription: of a due subscription continues from the missed date, with both events", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    await api.wait(34);
    expect((await api.read(id)).status).toBe("due");
    expect(await api.pay(id)).toBe("paid");
    expect(await api.read(id)).toMatchObject({
      status: "active",
      current_period_start: "2026-04-10T06:15:00.000Z",
      next_billing_cycle: "2026-05-10T06:15:00.000Z",
    });
    expect((await api.events(id)).slice(-2)).toEqual([
      "checkout.succeeded: due > active (renewal)",
      "subscription.status_changed: due > active (renewal)",
    ]);
  });

  it("Spec choice, payment of a due subscription: of a long due subscription skips whole intervals until the next date is ahead", async () => {
    const api = await SellerApi.open(service, { grace_days: 90 });
    const id = await api.createActive();
    await api.wait(100);
    expect(await api.pay(id)).toBe("paid");
    expect(await api.read(id)).toMatchObject({
      current_period_start: "2026-06-10T06:15:00.000Z",
      next_billing_cycle: "2026-07-10T06:15:00.000Z",
    });
  });

  it("Spec choice, early renewals: before the due date adds an interval to the end of the period", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    expect(await settle(id)).toBe("paid");
    expect(await api.read(id)).toMatchObject({
      status: "active",
      current_period_start: "2026-03-10T06:00:00.000Z",
      next_billing_cycle: "2026-05-10T06:15:00.000Z",
    });
    expect((await api.events(id)).slice(-2)).toEqual([
      "checkout.succeeded: active > active (renewal)",
      "subscription.status_changed: active > active (renewal)",
    ]);
    expect(await payments(id)).toHaveLength(2);
  });

  it("Spec, update-billing-cycle: can be for a paid date again once the billing date is moved back to it", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    await settle(id);
    await api.reschedule(id, "2026-04-10");
    await api.wait(33);
    expect(await api.pay(id)).toBe("paid");
    expect((await api.read(id)).next_billing_cycle).toBe("2026-05-10T06:15:00.000Z");
    expect(await payments(id)).toHaveLength(3);
  });

  it("Spec, Transitions: is accepted from the moment it is due, before any sweep too", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    expect(await api.pay(id)).toBe("settled");
    service.clock.set("2026-04-11T06:00:00Z");
    expect(await api.pay(id)).toBe("paid");
    expect((await api.read(id)).next_billing_cycle).toBe("2026-05-10T06:15:00.000Z");
  });

  it("Spec, States: is refused after the grace period, before any sweep too", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    await api.wait(32);
    service.clock.set("2026-05-01T06:00:00Z");
    expect(await api.pay(id)).toBe("settled");
    await api.wait(0);
    expect((await api.read(id)).status).toBe("inactive");
    expect(await payments(id)).toHaveLength(1);
  });

  it("Spec choice, payment of a due subscription: is kept once when ten concurrent ones pay one period", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    await api.wait(33);
    await Promise.all(Array.from({ length: 10 }, () => api.pay(id)));
    expect(await payments(id)).toHaveLength(2);
    expect((await api.read(id)).next_billing_cycle).toBe("2026-05-10T06:15:00.000Z");
  });
});

describe("a payment that waited for another request", () => {
  it("finds the subscription although its period changed, and asks the buyer to check again", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    const attempt = await requestCode(service, id);
    const connection = await service.pool.connect();
    await connection.query("begin");
    await connection.query("update subscription set pbp_id = $2 where subscription_id = $1", [
      id,
      api.periods.yearly,
    ]);
    const paying = submitCodePage(service, id, attempt);
    await expect
      .poll(async () => {
        const { rowCount } = await service.pool.query(
          "select 1 from pg_stat_activity where wait_event_type = 'Lock'",
        );
        return rowCount;
      })
      .toBe(1);
    await connection.query("commit");
    connection.release();
    expect((await paying).outcome).toBe("price_changed");
    expect((await api.read(id)).status).toBe("pending_checkout");
  });
});
