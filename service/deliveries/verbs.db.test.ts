import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Webhook } from "standardwebhooks";
import { EVENT_KINDS } from "#contract/names.ts";
import type { WriteContext } from "../http/write.ts";
import { answerWith, Endpoint } from "../testing/endpoint.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { TEST_SECRETS_KEY } from "../testing/service.ts";
import { useDeliveryWorker, useTestService } from "../testing/use-service.ts";
import { rotateSecret } from "../webhooks/endpoints.ts";
import { sendExample } from "./example.ts";
import { getDelivery, listDeliveries } from "./read.ts";
import { recoverDeliveries, resendDelivery } from "./resend.ts";
import type { DeliveryFilter } from "./store.ts";

const service = useTestService();
const HOUR = 60 * 60 * 1_000;
const NOT_FOUND = { status: 404 };

let endpoint: Endpoint;
let api: SellerApi;
let errors: unknown[];
beforeEach(async () => {
  service.clock.set(new Date().toISOString());
  endpoint = await Endpoint.listen();
  api = await SellerApi.open(service);
  errors = [];
});
afterEach(async () => {
  await endpoint.close();
  expect(errors).toEqual([]);
});
const worker = useDeliveryWorker(service, { onError: (error) => errors.push(error) });

const writeOf = ({ seller }: SellerApi): WriteContext => ({
  database: service.pool,
  seller,
  clock: service.clock.now,
  mode: "test",
  publicUrl: "",
  secretsKey: TEST_SECRETS_KEY,
});
const list = (filter: DeliveryFilter = {}, before: number | null = null, limit = 20) =>
  listDeliveries(service.pool, api.seller.seller_id, filter, { before, limit });
const get = (id: number) => getDelivery(service.pool, api.seller.seller_id, id);
const only = async () =>
  (await list()).results[0] as Awaited<ReturnType<typeof list>>["results"][0];

describe("listDeliveries", () => {
  it("returns pages of deliveries, newest first, without gaps or repetitions", async () => {
    await endpoint.register(api, "subscription.status_changed");
    const id = await api.createActive();
    for (let index = 0; index < 3; index += 1) {
      await api.cancel(id);
      await api.resume(id);
    }
    const seen: number[] = [];
    let next: number | null = null;
    do {
      const page = await list({}, next, 3);
      seen.push(...page.results.map((delivery) => delivery.id));
      next = page.next;
    } while (next !== null);
    expect(seen).toHaveLength(7);
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => b - a));
  });

  it("filters deliveries by state, event, endpoint, subscription and time", async () => {
    const succeeded = await endpoint.register(api, "checkout.succeeded");
    await endpoint.register(api, "subscription.status_changed");
    const first = await api.createActive();
    await worker.deliverDue();
    service.clock.advance(HOUR);
    await api.cancel(first);
    const found = async (filter: DeliveryFilter) =>
      (await list(filter)).results.map(({ event, state }) => `${event} ${state}`).toSorted();
    const cancelled = "subscription.status_changed pending";
    const paid = ["checkout.succeeded delivered", "subscription.status_changed delivered"];
    expect(await found({})).toEqual([...paid, cancelled]);
    expect(await found({ state: "pending" })).toEqual([cancelled]);
    expect(await found({ event: "checkout.succeeded" })).toEqual([paid[0]]);
    expect(await found({ webhook_id: succeeded.id })).toEqual([paid[0]]);
    expect(await found({ subscription_id: first })).toHaveLength(3);
    expect(await found({ created_from: service.clock.now() })).toEqual([cancelled]);
    const before = new Date(service.clock.now().getTime() - 1);
    expect(await found({ created_to: before })).toEqual(paid);
  });

  it("returns only the seller's own deliveries; the other operations answer 404 to another seller", async () => {
    await endpoint.register(api, "checkout.succeeded");
    await api.createActive();
    const { id, webhook_id: webhookId } = await only();
    const other = await SellerApi.open(service);
    const write = writeOf(other);
    const { seller_id } = other.seller;
    const page = { before: null, limit: 20 };
    expect((await listDeliveries(service.pool, seller_id, {}, page)).results).toEqual([]);
    const since = new Date(0);
    for (const attempt of [
      () => getDelivery(service.pool, seller_id, id),
      () => resendDelivery(write, id),
      () => recoverDeliveries(write, { webhookId, since }),
      () => sendExample(write, { webhookId, event: "checkout.failed" }),
      () => rotateSecret(write, webhookId, { now: service.clock.now(), overlap: 24 * HOUR }),
    ])
      await expect(attempt()).rejects.toMatchObject(NOT_FOUND);
  });
});

describe("getDelivery", () => {
  it("returns an attempt with the sent request and the first 4,096 characters of the response", async () => {
    const { secret } = await endpoint.register(api, "checkout.succeeded");
    endpoint.answer = (response) => response.writeHead(500).end("x".repeat(10_000));
    await api.createActive();
    await worker.deliverDue();
    const delivery = await get((await only()).id);
    expect(delivery).toMatchObject({ state: "retrying", attempts: 1, last_response_code: 500 });
    const [attempt] = delivery.attempt_list;
    expect(attempt?.request).toMatchObject({
      url: endpoint.url,
      body: endpoint.arrivals[0]?.body,
    });
    expect(endpoint.arrivals[0]?.headers).toMatchObject(attempt?.request.headers ?? {});
    expect(() =>
      new Webhook(secret).verify(attempt?.request.body ?? "", { ...attempt?.request.headers }),
    ).not.toThrow();
    expect(attempt?.response).toEqual({ code: 500, body: "x".repeat(4_096) });
    expect(attempt?.error).toBe("The endpoint answered 500.");
    expect(JSON.stringify(delivery)).not.toContain("whsec_");
  });
});

describe("resendDelivery", () => {
  it("sends a delivered delivery again, with the same id and body", async () => {
    await endpoint.register(api, "checkout.succeeded");
    await api.createActive();
    await worker.deliverDue();
    await resendDelivery(writeOf(api), (await only()).id);
    await worker.deliverDue();
    const [first, second] = endpoint.arrivals;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(await only()).toMatchObject({ state: "delivered", attempts: 2 });
  });

  it("sends a skipped delivery once to an endpoint that is still paused", async () => {
    const { id } = await endpoint.register(api, "checkout.succeeded");
    await api.call({
      method: "PATCH",
      url: `/api/v1/webhooks/${id}/`,
      payload: { is_active: false },
    });
    await api.createActive();
    await resendDelivery(writeOf(api), (await only()).id);
    endpoint.answer = answerWith(500);
    await worker.deliverDue();
    // A failed resend becomes a normal retry, and the endpoint is paused.
    expect(await only()).toMatchObject({ state: "skipped", attempts: 1 });
    endpoint.answer = answerWith(200);
    await resendDelivery(writeOf(api), (await only()).id);
    await worker.deliverDue();
    expect(await only()).toMatchObject({ state: "delivered", attempts: 2 });
  });
});

describe("resendDelivery while an attempt is under way", () => {
  it.each([500, 410, 200])(
    "sends the delivery again after the attempt is answered with %i",
    async (status) => {
      const { id } = await endpoint.register(api, "checkout.succeeded");
      const held: ServerResponse[] = [];
      endpoint.answer = (response) => held.push(response);
      await api.createActive();
      worker.wake();
      await expect.poll(() => held.length).toBe(1);
      const pause = { url: `/api/v1/webhooks/${id}/`, payload: { is_active: false } };
      await api.call({ method: "PATCH", ...pause });
      await resendDelivery(writeOf(api), (await only()).id);
      endpoint.answer = answerWith(200);
      held[0]?.writeHead(status).end();
      await worker.deliverDue();
      expect(await only()).toMatchObject({ state: "delivered", attempts: 2 });
    },
  );
});

describe("recoverDeliveries", () => {
  it("resends the failed or skipped deliveries since a given time, in order", async () => {
    const { id: webhookId, secret } = await endpoint.register(
      api,
      "subscription.status_changed",
    );
    endpoint.answer = answerWith(410);
    const id = await api.createActive();
    await worker.deliverDue();
    service.clock.advance(HOUR);
    const since = service.clock.now();
    await api.cancel(id);
    await api.resume(id);
    const write = writeOf(api);
    await expect(recoverDeliveries(write, { webhookId, since })).rejects.toMatchObject({
      status: 400,
    });
    await api.call({
      method: "PATCH",
      url: `/api/v1/webhooks/${webhookId}/`,
      payload: { is_active: true },
    });
    endpoint.answer = answerWith(200);
    service.clock.set(new Date().toISOString());
    expect(await recoverDeliveries(write, { webhookId, since })).toEqual({
      recovered: 2,
      left: 0,
    });
    await worker.deliverDue();
    expect(endpoint.verified(secret).slice(1)).toEqual([
      "active > pending_cancellation (cancel)",
      "pending_cancellation > active (resume)",
    ]);
  });
});

describe("sendExample", () => {
  it.each(EVENT_KINDS)("delivers an example of %s with a valid signature", async (event) => {
    const { id: webhookId, secret } = await endpoint.register(api, "checkout.failed");
    await sendExample(writeOf(api), { webhookId, event });
    await worker.deliverDue();
    const [{ headers, body }] = endpoint.arrivals as [(typeof endpoint.arrivals)[0]];
    const example = new Webhook(secret).verify(body, headers);
    expect(example).toMatchObject({ event, type: event, reason: "example" });
  });

  it("sends an example event with the same fields as a real event", async () => {
    const { id: webhookId } = await endpoint.register(api, "checkout.succeeded");
    await api.createActive();
    await sendExample(writeOf(api), { webhookId, event: "checkout.succeeded" });
    await worker.deliverDue();
    const shapeOf = (value: unknown): unknown =>
      typeof value === "object" && value !== null
        ? Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)])
        : typeof value;
    const [real, example] = endpoint.arrivals.map(({ body }) => shapeOf(JSON.parse(body)));
    expect(example).toEqual(real);
  });
});

describe("rotateSecret", () => {
  it("Spec choice, signatures: signs with both secrets for 24 hours, then with the new one only", async () => {
    const { id, secret: old } = await endpoint.register(api, "checkout.succeeded");
    const secret = await rotateSecret(writeOf(api), id, {
      now: service.clock.now(),
      overlap: 24 * HOUR,
    });
    const arrive = async () => {
      await sendExample(writeOf(api), { webhookId: id, event: "checkout.succeeded" });
      await worker.deliverDue();
      return endpoint.arrivals.at(-1) as (typeof endpoint.arrivals)[0];
    };
    const { body, headers } = await arrive();
    expect(headers["webhook-signature"]).toMatch(/^v1,\S{44} v1,\S{44}$/);
    for (const key of [secret, old])
      expect(() => new Webhook(key).verify(body, headers)).not.toThrow();
    service.clock.advance(24 * HOUR);
    const later = await arrive();
    const at = new Date(Number(later.headers["webhook-timestamp"]) * 1_000);
    expect(later.headers["webhook-signature"]).toBe(
      new Webhook(secret).sign(String(later.headers["webhook-id"]), at, later.body),
    );
  });
});
