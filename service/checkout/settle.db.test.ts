import { describe, expect, it } from "vitest";
import { untilBlocked } from "#tools/testing/database.ts";
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
  it("Spec, Transitions, payment succeeds: activates the subscription and begins a period at the time of payment", async () => {
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

  it("sends the events checkout.succeeded and subscription.status_changed", async () => {
    const api = await SellerApi.open(service);
    expect(await api.events(await api.createActive())).toEqual([
      "checkout.succeeded: pending_checkout > active (payment)",
      "subscription.status_changed: pending_checkout > active (payment)",
    ]);
  });

  it("Spec choice, failed payments: if declined leaves the subscription pending, sends checkout.failed, and can be tried again", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    expect(await api.pay(id, "decline")).toBe("declined");
    expect((await api.read(id)).status).toBe("pending_checkout");
    expect(await api.events(id)).toEqual([
      "checkout.failed: pending_checkout > pending_checkout (declined)",
    ]);
    expect(await api.pay(id)).toBe("paid");
  });

  it("Spec choice, one-time purchases: activates a one-time purchase without a billing period, which is never due", async () => {
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

  it("Spec choice, amounts: is the price minus the offer valid on that day, plus VAT", async () => {
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
  it("Spec choice, payment of a due subscription: begins the period at the missed billing date, and sends two events", async () => {
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

  it("Spec choice, payment of a due subscription: skips the missed intervals, so that the next billing date lies ahead", async () => {
    const api = await SellerApi.open(service, { grace_days: 90 });
    const id = await api.createActive();
    await api.wait(100);
    expect(await api.pay(id)).toBe("paid");
    expect(await api.read(id)).toMatchObject({
      current_period_start: "2026-06-10T06:15:00.000Z",
      next_billing_cycle: "2026-07-10T06:15:00.000Z",
    });
  });

  it("Spec choice, early renewals: before the billing date moves the end of the period by one interval", async () => {
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

  it("Spec, update-billing-cycle: can pay the same billing date again after the seller moves the date back", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    await settle(id);
    await api.reschedule(id, "2026-04-10");
    await api.wait(33);
    expect(await api.pay(id)).toBe("paid");
    expect((await api.read(id)).next_billing_cycle).toBe("2026-05-10T06:15:00.000Z");
    expect(await payments(id)).toHaveLength(3);
  });

  it("Spec, Transitions: is accepted from the moment the subscription is due, even before a sweep", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    expect(await api.pay(id)).toBe("settled");
    service.clock.set("2026-04-11T06:00:00Z");
    expect(await api.pay(id)).toBe("paid");
    expect((await api.read(id)).next_billing_cycle).toBe("2026-05-10T06:15:00.000Z");
  });

  it("Spec, States: is refused after the grace period, even before a sweep", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    await api.wait(32);
    service.clock.set("2026-05-01T06:00:00Z");
    expect(await api.pay(id)).toBe("settled");
    await api.wait(0);
    expect((await api.read(id)).status).toBe("inactive");
    expect(await payments(id)).toHaveLength(1);
  });

  it("Spec choice, payment of a due subscription: is kept only once when ten concurrent payments pay one period", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    await api.wait(33);
    await Promise.all(Array.from({ length: 10 }, () => api.pay(id)));
    expect(await payments(id)).toHaveLength(2);
    expect((await api.read(id)).next_billing_cycle).toBe("2026-05-10T06:15:00.000Z");
  });
});

describe("a payment that waited for another request", () => {
  it("is not made if that request changed the billing period; the buyer is asked to check the new price", async () => {
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
    await untilBlocked(service.pool);
    await connection.query("commit");
    connection.release();
    expect((await paying).outcome).toBe("price_changed");
    expect((await api.read(id)).status).toBe("pending_checkout");
  });
});
