import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Webhook } from "standardwebhooks";
import { SellerApi } from "../testing/seller-api.ts";
import { answerWith, Endpoint } from "../testing/endpoint.ts";
import { useDeliveryWorker, useTestService } from "../testing/use-service.ts";

const service = useTestService();
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let endpoint: Endpoint;
let api: SellerApi;
let errors: unknown[];
beforeEach(async () => {
  // Set to the machine's time, because the verifier uses that.
  service.clock.set(new Date().toISOString());
  endpoint = await Endpoint.listen();
  api = await SellerApi.open(service);
  errors = [];
});
afterEach(async () => {
  await endpoint.close();
  expect(errors).toEqual([]);
});
const worker = useDeliveryWorker(service, {
  onError: (error) => errors.push(error),
  random: () => 0.5,
});

const deliveries = async () => {
  const { rows } = await service.pool.query<Record<string, unknown>>(
    "select * from delivery where seller_id = $1 order by delivery_id",
    [api.seller.seller_id],
  );
  return rows;
};
const states = async () => (await deliveries()).map((row) => row["state"]);
const after = async (milliseconds: number) => {
  service.clock.advance(milliseconds);
  await worker.deliverDue();
};

describe("a delivery", () => {
  it("Spec, Events: a payment sends a signed checkout.succeeded event with the payment's data", async () => {
    const { secret } = await endpoint.register(api, "checkout.succeeded");
    const id = await api.createActive();
    await worker.deliverDue();
    expect(endpoint.arrivals).toHaveLength(1);
    const { headers, body } = endpoint.arrivals[0] as (typeof endpoint.arrivals)[number];
    const event = new Webhook(secret).verify(body, headers);
    const record = await api.read(id);
    const [payment] = (
      await service.pool.query(
        `select p.payment_id, p.amount::text, p.currency, p.vat::text, p.fee::text, p.method,
           a.provider_reference, wire_time(p.paid_at) as paid_at
         from payment p join checkout_attempt a using (attempt_id) where p.subscription_id = $1`,
        [id],
      )
    ).rows;
    expect(event).toEqual({
      id: headers["webhook-id"],
      event: "checkout.succeeded",
      type: "checkout.succeeded",
      timestamp: service.clock.now().toISOString(),
      subscription_id: id,
      old_status: "pending_checkout",
      new_status: "active",
      reason: "payment",
      data: {
        product_id: record.product.product_id,
        pbp_id: record.product.pbp_id,
        current_period_start: record.current_period_start,
        current_period_end: record.current_period_end,
        next_billing_cycle: record.next_billing_cycle,
        ...payment,
        method: "wallet",
      },
    });
    expect(headers["content-type"]).toBe("application/json");
    expect(await states()).toEqual(["delivered"]);
  });

  it("Spec choice, webhook body: a retry sends the same body and webhook-id as the first attempt", async () => {
    const { secret } = await endpoint.register(api, "checkout.succeeded");
    endpoint.answer = answerWith(500);
    const id = await api.createActive();
    await worker.deliverDue();
    await api.cancel(id);
    endpoint.answer = answerWith(200);
    await after(5 * SECOND);
    const [first, second] = endpoint.arrivals;
    expect(endpoint.arrivals).toHaveLength(2);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.headers["webhook-signature"]).not.toBe(first?.headers["webhook-signature"]);
    expect(endpoint.verified(secret)).toHaveLength(2);
  });

  it("Spec choice, retries: a delivery is tried ten times on the retry schedule and then counts as failed", async () => {
    await endpoint.register(api, "checkout.succeeded");
    endpoint.answer = answerWith(500);
    await api.createActive();
    await worker.deliverDue();
    const waits = [5 * SECOND, 5 * MINUTE, 30 * MINUTE];
    for (const hours of [2, 5, 10, 14, 20, 24]) waits.push(hours * HOUR);
    for (const [index, wait] of waits.entries()) {
      await after(wait - 1);
      expect(endpoint.arrivals).toHaveLength(index + 1);
      expect(await states()).toEqual(["pending"]);
      await after(1);
      expect(endpoint.arrivals).toHaveLength(index + 2);
    }
    expect(await states()).toEqual(["failed"]);
    await after(1_000 * HOUR);
    expect(endpoint.arrivals).toHaveLength(10);
  });

  it("Spec choice, retries: a delivery waits at most a minute for a failing earlier delivery of its subscription", async () => {
    const { secret } = await endpoint.register(api, "subscription.status_changed");
    endpoint.answer = answerWith(500);
    const id = await api.createActive();
    await worker.deliverDue();
    await api.cancel(id);
    await api.resume(id);
    await after(30 * SECOND);
    // The retry after five seconds failed too; the others wait.
    expect(endpoint.verified(secret)).toEqual([
      "pending_checkout > active (payment)",
      "pending_checkout > active (payment)",
    ]);
    endpoint.answer = answerWith(200);
    await after(30 * SECOND);
    expect(endpoint.verified(secret).slice(2)).toEqual([
      "active > pending_cancellation (cancel)",
      "pending_cancellation > active (resume)",
    ]);
    expect(await states()).toEqual(["pending", "delivered", "delivered"]);
  });

  it("Spec choice, retries: a waiting delivery is sent once the earlier delivery of its subscription succeeds", async () => {
    const { secret } = await endpoint.register(api, "subscription.status_changed");
    endpoint.answer = answerWith(500);
    const id = await api.createActive();
    await worker.deliverDue();
    await api.cancel(id);
    await after(1 * SECOND);
    endpoint.answer = answerWith(200);
    await after(4 * SECOND);
    expect(endpoint.verified(secret).slice(1)).toEqual([
      "pending_checkout > active (payment)",
      "active > pending_cancellation (cancel)",
    ]);
  });

  it("does not wait for a failing delivery of another subscription", async () => {
    await endpoint.register(api, "checkout.succeeded");
    endpoint.answer = answerWith(500);
    await api.createActive();
    await worker.deliverDue();
    endpoint.answer = answerWith(200);
    await api.createActive(api.periods.monthly, { phone: "9800000002" });
    await worker.deliverDue();
    expect(await states()).toEqual(["pending", "delivered"]);
  });

  it("arrives in the order of the events even if two endpoints share a URL", async () => {
    await endpoint.register(api, "subscription.status_changed");
    await endpoint.register(api, "checkout.succeeded");
    await api.createActive();
    await worker.deliverDue();
    const kinds = endpoint.arrivals.map(
      ({ body }) => (JSON.parse(body) as { type: string }).type,
    );
    const { rows } = await service.pool.query<{ event: string }>(
      "select event from event where seller_id = $1 order by sequence",
      [api.seller.seller_id],
    );
    expect(kinds).toEqual(rows.map((row) => row.event));
  });

  it("is sent with at most three other deliveries to the same endpoint at a time", async () => {
    await endpoint.register(api, "checkout.succeeded");
    endpoint.answer = (response) => void setTimeout(() => response.end(), 20);
    for (let index = 0; index < 9; index += 1)
      await api.createActive(api.periods.monthly, { phone: `980000000${index}` });
    await worker.deliverDue();
    expect(endpoint.arrivals).toHaveLength(9);
    expect(endpoint.atOnce).toBe(4);
  });
});

describe("a wrong clock", () => {
  it.each([
    ["an hour", 1],
    ["a month", 31 * 24],
  ])("that was %s ahead delays no delivery after the clock is set back", async (_, hours) => {
    await endpoint.register(api, "checkout.succeeded");
    await api.createActive();
    await after(hours * HOUR);
    service.clock.advance(-hours * HOUR);
    await api.createActive(api.periods.monthly, { phone: "9800000002" });
    await worker.deliverDue();
    expect(await states()).toEqual(["delivered", "delivered"]);
  });

  it("does not block a sandbox reset even if a dead worker left a lease that lasts a month", async () => {
    await endpoint.register(api, "checkout.succeeded");
    await service.pool.query(
      `insert into delivery_endpoint (seller_id, address_key, lease, free_at)
       select seller_id, address_key, gen_random_uuid(), now() + interval '1 month'
       from webhook where seller_id = $1`,
      [api.seller.seller_id],
    );
    expect((await api.post("/sandbox/reset/")).statusCode).toBe(200);
  });
});

describe("an endpoint", () => {
  const setActive = (id: number, is_active: boolean) =>
    api.call({ method: "PATCH", url: `/api/v1/webhooks/${id}/`, payload: { is_active } });
  const read = async (id: number) => {
    const { rows } = await service.pool.query<{ is_active: boolean; kind: string | null }>(
      `select w.is_active, n.kind from webhook w left join webhook_notice n on n.webhook_id = w.id
       where w.id = $1`,
      [id],
    );
    return rows;
  };

  it("Spec choice, paused endpoints: a paused endpoint gets no retries, and its deliveries become skipped", async () => {
    const { id } = await endpoint.register(api, "subscription.status_changed");
    endpoint.answer = answerWith(500);
    const subscription = await api.createActive();
    await worker.deliverDue();
    await setActive(id, false);
    await api.cancel(subscription);
    await after(100 * HOUR);
    expect(await states()).toEqual(["skipped", "skipped"]);
    await setActive(id, true);
    await after(100 * HOUR);
    expect(endpoint.arrivals).toHaveLength(1);
  });

  it("Spec choice, retries: an endpoint that answers 410 is switched off with a notice and gets no more deliveries", async () => {
    const { id } = await endpoint.register(api, "subscription.status_changed");
    endpoint.answer = answerWith(410);
    const subscription = await api.createActive();
    await api.cancel(subscription);
    await worker.deliverDue();
    expect(endpoint.arrivals).toHaveLength(1);
    expect(await states()).toEqual(["failed", "skipped"]);
    expect(await read(id)).toEqual([{ is_active: false, kind: "gone" }]);
  });

  it("Spec choice, retries: an endpoint that fails every attempt for five days is switched off with a notice", async () => {
    const { id } = await endpoint.register(api, "subscription.status_changed");
    endpoint.answer = answerWith(500);
    const subscription = await api.createActive();
    await worker.deliverDue();
    for (let hours = 0; hours < 119; hours += 7) await after(7 * HOUR);
    expect(await read(id)).toEqual([{ is_active: true, kind: null }]);
    await api.cancel(subscription);
    await after(1 * HOUR);
    expect(await read(id)).toEqual([{ is_active: false, kind: "failing" }]);
    // After it is switched on again, the endpoint has five more days.
    await setActive(id, true);
    await api.resume(subscription);
    await after(0);
    expect(await read(id)).toEqual([{ is_active: true, kind: "failing" }]);
  });

  it("Spec choice, retries: one successful delivery restarts the five days after which an endpoint is switched off", async () => {
    const { id } = await endpoint.register(api, "subscription.status_changed");
    endpoint.answer = answerWith(500);
    const subscription = await api.createActive();
    await worker.deliverDue();
    endpoint.answer = answerWith(200);
    await after(90 * HOUR);
    endpoint.answer = answerWith(500);
    await api.cancel(subscription);
    await after(40 * HOUR);
    expect(await read(id)).toEqual([{ is_active: true, kind: null }]);
  });

  it.each([429, 503])(
    "Spec choice, retries: an endpoint that answers %i with Retry-After gets no deliveries for that time",
    async (status) => {
      await endpoint.register(api, "checkout.succeeded");
      endpoint.answer = answerWith(status, { "retry-after": "600" });
      await api.createActive();
      await worker.deliverDue();
      endpoint.answer = answerWith(200);
      await api.createActive(api.periods.monthly, { phone: "9800000002" });
      await after(599 * SECOND);
      expect(endpoint.arrivals).toHaveLength(1);
      await after(1 * SECOND);
      expect(endpoint.arrivals).toHaveLength(3);
      expect(await states()).toEqual(["delivered", "delivered"]);
    },
  );
});
