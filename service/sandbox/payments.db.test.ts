import { describe, expect, it } from "vitest";
import { PAYMENT_OUTCOMES, type PaymentOutcome } from "#contract/names.ts";
import { SimulatedPayment } from "#contract/sandbox.ts";
import { paymentsOf, requestCode } from "../testing/checkout-forms.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

const request = (api: SellerApi, id: string, body: object) =>
  api.post(`/sandbox/subscriptions/${id}/pay/`, body);

async function simulate(
  api: SellerApi,
  id: string,
  outcome: PaymentOutcome,
  method = "wallet",
) {
  const answer = await request(api, id, { outcome, method });
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  return SimulatedPayment.parse(answer.json());
}

const FAILED = { result: "failed", events: ["checkout.failed"] };
const PAID = {
  result: "paid",
  reason: null,
  events: ["checkout.succeeded", "subscription.status_changed"],
};
const ENDS = {
  approve: PAID,
  decline: { ...FAILED, reason: "declined" },
  insufficient_balance: { ...FAILED, reason: "insufficient_balance" },
  time_out: { ...FAILED, reason: "timed_out" },
  abandon: { result: "failed", reason: "left", events: [] },
};

describe("a simulated payment", () => {
  it.each(PAYMENT_OUTCOMES)(
    "that ends with %s has the same result as a payment on the checkout page",
    async (outcome) => {
      const [api, other] = [await SellerApi.open(service), await SellerApi.open(service)];
      const { subscription_id: id } = await api.create();
      const { subscription_id: byHand } = await other.create();
      expect(await simulate(api, id, outcome, "bank")).toEqual({
        subscription_id: id,
        old_status: "pending_checkout",
        new_status: outcome === "approve" ? "active" : "pending_checkout",
        ...ENDS[outcome],
      });
      await other.pay(byHand, outcome);
      expect(await api.events(id)).toEqual(await other.events(byHand));
      const { subscription_id: _id, product: _product, ...record } = await api.read(id);
      expect(await other.read(byHand)).toMatchObject(record);
      expect(await paymentsOf(service, id)).toHaveLength(outcome === "approve" ? 1 : 0);
    },
  );

  it("makes a due subscription active, and renews an active subscription early", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const { next_billing_cycle: first } = await api.read(id);
    expect(await simulate(api, id, "approve")).toMatchObject({
      old_status: "active",
      new_status: "active",
      ...PAID,
    });
    const { next_billing_cycle: second } = await api.read(id);
    expect(Date.parse(second ?? "")).toBeGreaterThan(Date.parse(first ?? ""));
    await api.post("/sandbox/clock/advance/", { by: "P62D" });
    expect((await api.read(id)).status).toBe("due");
    expect(await simulate(api, id, "decline")).toMatchObject({ ...FAILED, new_status: "due" });
    expect(await simulate(api, id, "approve")).toMatchObject({
      ...PAID,
      new_status: "active",
    });
  });

  it("is refused if the checkout page would not accept a payment", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const twin = await api.requestCreate(api.periods.monthly, {});
    expect(twin.statusCode).toBe(400);
    await api.cancel(id);
    const { subscription_id: next } = await api.create();
    await api.resume(id);
    for (const [subscription, words] of [
      [next, "already has an active subscription"],
      [id, null],
    ] as const) {
      const answer = await request(api, subscription, { outcome: "approve" });
      expect([answer.statusCode, answer.body]).toEqual(
        words ? [400, expect.stringContaining(words)] : [200, expect.any(String)],
      );
    }
    await api.cancel(id);
    const ending = await request(api, id, { outcome: "approve" });
    expect([ending.statusCode, ending.body]).toEqual([
      400,
      expect.stringContaining("takes no payment"),
    ]);
    expect(await paymentsOf(service, id)).toHaveLength(2);
  });

  it("is refused for another seller's subscription, and for an unknown outcome or method", async () => {
    const [api, other] = [await SellerApi.open(service), await SellerApi.open(service)];
    const { subscription_id: id } = await api.create();
    for (const [from, subscription] of [
      [other, id],
      [api, "00000000-0000-4000-8000-000000000000"],
      [api, "nothing"],
    ] as const)
      expect((await request(from, subscription, { outcome: "approve" })).statusCode).toBe(404);
    const wrong = await request(api, id, { outcome: "steal", method: "cash" });
    expect([wrong.statusCode, Object.keys(wrong.json())]).toEqual([400, ["outcome", "method"]]);
    expect((await api.read(id)).status).toBe("pending_checkout");
  });

  it("is made once per Idempotency-Key, and a repeated request gets the same answer", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const pay = (body: object, key = "one") =>
      api.post(`/sandbox/subscriptions/${id}/pay/`, body, { "idempotency-key": key });
    const first = await pay({ outcome: "approve" });
    await api.cancel(id);
    const again = await pay({ outcome: "approve" });
    expect([again.statusCode, again.body]).toEqual([200, first.body]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(await paymentsOf(service, id)).toHaveLength(2);
    expect((await pay({ outcome: "decline" })).statusCode).toBe(422);
    expect((await pay({ outcome: "approve" }, "two")).statusCode).toBe(400);
    await api.post("/sandbox/reset/", {});
    expect((await pay({ outcome: "approve" })).statusCode).toBe(404);
  });

  it("is completed when an interrupted request is repeated with the same Idempotency-Key", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    const url = `/sandbox/subscriptions/${id}/pay/`;
    const keyed = { "idempotency-key": "one" };
    const body = { outcome: "decline" };
    const first = await api.post(url, body, keyed);
    // Simulates a process that ended after the first commit, before it asked the provider.
    await service.pool.query(
      `with pending as (update checkout_attempt
         set state = 'pending', reason = null, provider_reference = null, provider_expires_at = null
         where subscription_id = $1 returning attempt_id)
       delete from sandbox_charge where attempt_id in (select attempt_id from pending)`,
      [id],
    );
    const again = await api.post(url, body, keyed);
    expect([again.statusCode, again.body]).toEqual([200, first.body]);
    expect(again.json()).toMatchObject(ENDS.decline);
  });

  it("does not count towards the limit of one-time codes for buyers", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    for (let times = 0; times < 21; times += 1) await simulate(api, id, "decline");
    expect(await requestCode(service, id)).not.toBe("");
    expect(await simulate(api, id, "approve")).toMatchObject(PAID);
  });
});
