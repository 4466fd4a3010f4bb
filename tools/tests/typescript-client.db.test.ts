import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  duebook,
  verifyWebhook,
  type Duebook,
  type DuebookOptions,
} from "../../clients/typescript/src/duebook.ts";
import { buildApp } from "../../service/app.ts";
import { createDeliveryWorker } from "../../service/deliveries/worker.ts";
import { Endpoint } from "../../service/testing/endpoint.ts";
import { SellerApi } from "../../service/testing/seller-api.ts";
import {
  testBuyer,
  TEST_SECRETS_KEY,
  withAccountToken,
} from "../../service/testing/service.ts";
import { useTestService } from "../../service/testing/use-service.ts";
import {
  startFaultProxy,
  type FaultName,
  type FaultProxy,
} from "../testing/servers/fault-proxy.ts";

/** Tests clients/typescript with the service itself, through a proxy that breaks answers. */
const service = useTestService();
let url: string;
let proxy: FaultProxy;
beforeAll(async () => {
  url = await service.app.listen({ host: "127.0.0.1", port: 0 });
  proxy = await startFaultProxy(url);
});
afterEach(() => {
  proxy.fault = null;
});
afterAll(() => proxy.close());

const clientOf = (apiKey: string, options: Partial<DuebookOptions> = {}) =>
  duebook({ baseUrl: proxy.url, apiKey, ...options });

/** A seller with a catalogue and clients for its key and its account token. */
async function openShop() {
  const api = await SellerApi.open(service);
  const token = await withAccountToken(service, api.seller);
  return { api, shop: clientOf(api.seller.key), account: clientOf(token.key).account };
}

const orderOf = (pbp_id: string, phone = "9800000001") => ({
  pbp_id,
  return_url: "https://shop.example/thanks",
  client: testBuyer({ phone }) as ReturnType<typeof testBuyer>,
});

/** Breaks the next answers only. */
function failNext(name: FaultName, times = 1) {
  let left = times;
  proxy.fault = { name, strikes: () => left-- > 0 };
}

async function countOf(shop: Duebook) {
  const { count } = await shop.subscriptions.list().first();
  return count;
}

test("a product is added by the account API, and its subscription is sold, paid, cancelled and resumed", async () => {
  const { account, shop } = await openShop();
  const period = {
    interval_type: "month",
    interval_count: 1,
    label: "Monthly",
    price: "250.00",
  } as const;
  const added = await account.products.create({
    name: "Curd",
    plans: [{ plan_name: "A cup a day", billing_periods: [period] }],
  });
  const pbp_id = added.plan[0]?.billing_periods[0]?.pbp_id ?? "";
  const made = await shop.subscriptions.create(orderOf(pbp_id));
  expect(made).toMatchObject({
    status: "pending_checkout",
    checkout_url: `http://billing.test/pay/${made.subscription_id}`,
  });
  const paid = await shop.sandbox.subscriptions.pay(made.subscription_id, {
    outcome: "approve",
  });
  expect(paid).toMatchObject({ result: "paid", new_status: "active" });
  await shop.subscriptions.cancel(made.subscription_id);
  const { status } = await shop.subscriptions.get(made.subscription_id);
  expect(status).toBe("pending_cancellation");
  await shop.subscriptions.resume(made.subscription_id);
  const { results } = await shop.account.payments.list().first();
  expect(results).toMatchObject([{ subscription_id: made.subscription_id, amount: "250.00" }]);
  const { capabilities } = await shop.account.describe();
  expect(capabilities).toContain("payments");
});

test("lists of subscriptions and customers are read over all their pages, and a list is filtered by status", async () => {
  const { api, shop } = await openShop();
  const phones = ["9800000001", "9800000002", "9800000003", "9800000004", "9800000005"];
  for (const phone of phones)
    await shop.subscriptions.create(orderOf(api.periods.monthly, phone));
  const found: string[] = [];
  for await (const { client } of shop.subscriptions.list({ page_size: 2 }))
    found.push(client.phone);
  expect(found).toEqual(phones.toReversed());
  const sizes: number[] = [];
  for await (const page of shop.customers.list({ page_size: 2 }).pages())
    sizes.push(page.results.length);
  expect(sizes).toEqual([2, 2, 1]);
  expect((await shop.subscriptions.list({ status: "active" }).first()).count).toBe(0);
});

test("webhook deliveries are read over all their pages", async () => {
  const { shop } = await openShop();
  const endpoint = {
    event: "checkout.failed",
    endpoint_url: "https://shop.example/hook",
  } as const;
  const { id } = await shop.webhooks.create(endpoint);
  const ids: number[] = [];
  for (let sent = 0; sent < 3; sent += 1)
    ids.push(
      (await shop.account.webhooks.example(id, { event: "checkout.failed" })).delivery_id,
    );
  const found: number[] = [];
  for await (const delivery of shop.account.deliveries.list({ page_size: 2 }))
    found.push(delivery.id);
  expect(found).toEqual(ids.toReversed());
});

test("each refusal of the service becomes an error with the refusal's code", async () => {
  const { api, shop, account } = await openShop();
  const unverified = await service.createSeller({ kyc_verified: false });
  const order = orderOf(api.periods.monthly);
  const { version } = await account.profile.get();
  await account.profile.update({ version, grace_days: 9 });
  await shop.subscriptions.create(order, { idempotencyKey: "order-1" });
  const narrow = await buildApp(service.context, { limits: { perKey: 1, failedKeys: 0 } });
  onTestFinished(() => narrow.close());
  const limited = duebook({
    baseUrl: await narrow.listen({ host: "127.0.0.1", port: 0 }),
    apiKey: api.seller.key,
    retries: 0,
  });
  await limited.products.list().first();
  const refusals: [() => Promise<unknown>, object][] = [
    [
      () => clientOf("dbk_test_wrong").subscriptions.list().first(),
      { code: "unauthorized", status: 401 },
    ],
    [
      () => clientOf(unverified.key).subscriptions.list().first(),
      { code: "forbidden", status: 403 },
    ],
    [() => shop.account.keys.list().first(), { code: "forbidden", status: 403 }],
    [() => shop.subscriptions.get(randomUUID()), { code: "not_found", message: "Not found." }],
    [
      () => shop.subscriptions.create(orderOf("pbp_of_nobody")),
      { code: "invalid", fields: { pbp_id: expect.any(Array) as string[] } },
    ],
    [
      () => account.profile.update({ version, grace_days: 3 }),
      { code: "conflict", status: 409 },
    ],
    [
      () =>
        shop.subscriptions.create(orderOf(api.periods.yearly), { idempotencyKey: "order-1" }),
      { code: "key_reused", status: 422 },
    ],
    [
      () => limited.products.list().first(),
      { code: "rate_limited", status: 429, retryAfter: expect.any(Number) as number },
    ],
  ];
  for (const [ask, expected] of refusals)
    await expect(ask()).rejects.toMatchObject({
      ...expected,
      requestId: expect.stringMatching(/./) as string,
    });
});

test.each<FaultName>(["reset_before", "reset_after", "html_500", "empty_502", "cut_json"])(
  "a write succeeds after the fault %s, and is done only once",
  async (fault) => {
    const { api, shop } = await openShop();
    const active = orderOf(api.periods.monthly);
    const { subscription_id } = await shop.subscriptions.create(active);
    failNext(fault);
    // A second payment would be refused, because only an unpaid subscription is paid.
    const paid = await shop.sandbox.subscriptions.pay(subscription_id, { outcome: "approve" });
    expect(paid.result).toBe("paid");
    failNext(fault);
    const endpoint = await shop.webhooks.create({
      event: "checkout.failed",
      endpoint_url: "https://shop.example/hook",
    });
    expect((await shop.webhooks.list().first()).results).toMatchObject([{ id: endpoint.id }]);
    const wasAnswered = fault === "reset_after" || fault === "cut_json";
    expect(endpoint.secret).toEqual(
      wasAnswered ? null : (expect.stringMatching(/^whsec_/) as string),
    );
    expect(await countOf(shop)).toBe(1);
  },
);

test("a request to a service that never answers ends in a timeout after the allowed number of tries", async () => {
  const { shop, api } = await openShop();
  proxy.fault = { name: "hang" };
  const before = proxy.asked.length;
  const hasty = clientOf(api.seller.key, { timeout: 50, retries: 1 });
  await expect(hasty.products.list().first()).rejects.toMatchObject({ code: "timeout" });
  expect(proxy.asked.length - before).toBe(2);
  proxy.fault = null;
  expect(await countOf(shop)).toBe(0);
});

test("an unreachable service is reported as a network error", async () => {
  const absent = duebook({ baseUrl: "http://127.0.0.1:9", apiKey: "dbk_test_x", retries: 0 });
  await expect(absent.products.list().first()).rejects.toMatchObject({
    code: "network",
    status: null,
  });
});

test("the client verifies deliveries of the service, even while the signing secret is replaced", async () => {
  service.clock.set(new Date().toISOString());
  const { api, shop } = await openShop();
  const endpoint = await Endpoint.listen();
  onTestFinished(() => endpoint.close());
  const event = "checkout.succeeded";
  const { id, secret } = await shop.webhooks.create({ event, endpoint_url: endpoint.url });
  const worker = createDeliveryWorker({
    pool: service.pool,
    now: service.clock.now,
    secretsKey: TEST_SECRETS_KEY,
    mode: "test",
    privateTargets: true,
  });
  onTestFinished(() => worker.close());

  const { subscription_id } = await shop.subscriptions.create(orderOf(api.periods.monthly));
  await shop.sandbox.subscriptions.pay(subscription_id, { outcome: "approve" });
  await worker.deliverDue();
  const rotated = await shop.account.webhooks.rotateSecret(id, { overlap_hours: 1 });
  await shop.account.webhooks.example(id, { event });
  await worker.deliverDue();

  const [first, second] = endpoint.arrivals;
  if (!first || !second || !secret || !rotated.secret) return expect.unreachable();
  const paid = await verifyWebhook(first.body, first.headers, secret);
  expect(paid).toMatchObject({ event, subscription_id, data: { amount: "1130.00" } });
  for (const one of [secret, rotated.secret, [rotated.secret, secret]])
    expect(await verifyWebhook(second.body, second.headers, one)).toMatchObject({ event });
  await expect(verifyWebhook(first.body, first.headers, rotated.secret)).rejects.toMatchObject({
    code: "wrong_signature",
  });
});
