import { expect, it } from "vitest";
import {
  Delivery,
  DeliveryPage,
  NoticeList,
  RecoveredDeliveries,
  SentExample,
} from "#contract/deliveries.ts";
import { WEBHOOK_SECRET_HEADER } from "#contract/webhooks.ts";
import { createDeliveryWorker } from "../deliveries/worker.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { answerWith, Endpoint } from "../testing/endpoint.ts";
import { TEST_SECRETS_KEY } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const URL = "/sandbox/deliveries/";

async function register(api: SellerApi, event = "subscription.status_changed") {
  const endpoint_url = "https://shop.example/hook";
  const answer = await api.post("/api/v1/webhooks/", { event, endpoint_url });
  return {
    id: answer.json<{ id: number }>().id,
    secret: String(answer.headers[WEBHOOK_SECRET_HEADER]),
  };
}

const list = async (api: SellerApi, url = URL) =>
  DeliveryPage.parse((await api.call({ url })).json());

it("lists deliveries newest first, page by page and by filter", async () => {
  const api = await SellerApi.open(service);
  const { id } = await register(api);
  const subscription = await api.createActive();
  await api.cancel(subscription);
  await api.resume(subscription);
  const whole = await list(api);
  expect(whole.results).toHaveLength(3);
  const collected = [];
  let url: string | null = `${URL}?page_size=2&state=pending&webhook_id=${id}`;
  while (url !== null) {
    const page: DeliveryPage = await list(api, url.replace("http://billing.test", ""));
    collected.push(...page.results);
    url = page.next;
  }
  expect(collected).toEqual(whole.results);
  expect((await list(api, `${URL}?state=failed`)).results).toEqual([]);
  expect((await api.call({ url: `${URL}?webhook_id=x` })).statusCode).toBe(400);
});

it("distinguishes retried from pending deliveries, and can omit skipped ones", async () => {
  const api = await SellerApi.open(service);
  await register(api);
  const subscription = await api.createActive();
  await api.cancel(subscription);
  await api.resume(subscription);
  const [newest, second] = (await list(api)).results;
  const set = (id: number | undefined, to: string) =>
    service.pool.query(`update delivery set ${to} where delivery_id = $1`, [id]);
  await set(newest?.id, "state = 'skipped'");
  await set(second?.id, "tries = 2");
  const states = async (query: string) =>
    (await list(api, `${URL}${query}`)).results.map(({ state }) => state);
  expect(await states("")).toEqual(["skipped", "retrying", "pending"]);
  expect(await states("?skipped=false")).toEqual(["retrying", "pending"]);
  expect(await states("?state=retrying")).toEqual(["retrying"]);
  expect(await states("?state=pending")).toEqual(["pending"]);
  expect((await api.call({ url: `${URL}?skipped=perhaps` })).statusCode).toBe(400);
});

it("sends an example, shows it and resends it", async () => {
  const api = await SellerApi.open(service);
  const { id } = await register(api);
  const event = "checkout.succeeded";
  const { delivery_id } = SentExample.parse(
    (await api.post(`/sandbox/webhooks/${id}/example/`, { event })).json(),
  );
  const delivery = Delivery.parse((await api.call({ url: `${URL}${delivery_id}/` })).json());
  expect(delivery).toMatchObject({ event, state: "pending", attempts: 0, attempt_list: [] });
  expect(JSON.parse(delivery.body)).toMatchObject({ event, reason: "example" });
  expect((await api.post(`${URL}${delivery_id}/resend/`)).statusCode).toBe(200);
});

it("resends deliveries that failed since a time", async () => {
  const api = await SellerApi.open(service);
  const { id: webhook_id } = await register(api);
  await api.createActive();
  await service.pool.query("update delivery set state = 'failed' where seller_id = $1", [
    api.seller.seller_id,
  ]);
  const recover = async (since: string) =>
    RecoveredDeliveries.parse((await api.post(`${URL}recover/`, { webhook_id, since })).json())
      .recovered;
  expect(await recover("2026-03-11T00:00:00Z")).toBe(0);
  expect(await recover("2026-03-10T00:00:00Z")).toBe(1);
});

it("rotates a secret, returns it in a header only, and does not store it under an Idempotency-Key", async () => {
  const api = await SellerApi.open(service);
  const { id, secret } = await register(api);
  const headers = { "idempotency-key": "rotate" };
  const answer = await api.post(`/sandbox/webhooks/${id}/rotate-secret/`, undefined, headers);
  const rotated = String(answer.headers[WEBHOOK_SECRET_HEADER]);
  expect(rotated).toMatch(/^whsec_/);
  expect(rotated).not.toBe(secret);
  expect(answer.body).not.toContain("whsec_");
});

it("shows only to the seller why an endpoint was switched off", async () => {
  service.clock.set(new Date().toISOString());
  const [api, other] = [await SellerApi.open(service), await SellerApi.open(service)];
  const endpoint = await Endpoint.listen();
  endpoint.answer = answerWith(410);
  const { id } = await endpoint.register(api, "checkout.succeeded");
  const worker = createDeliveryWorker({
    pool: service.pool,
    now: service.clock.now,
    secretsKey: TEST_SECRETS_KEY,
    mode: "test",
    privateTargets: true,
  });
  await api.createActive();
  await worker.deliverDue();
  const notices = async (seller: SellerApi) =>
    NoticeList.parse((await seller.call({ url: "/sandbox/webhooks/notices/" })).json()).results;
  expect(await notices(api)).toMatchObject([
    { webhook_id: id, endpoint_url: endpoint.url, kind: "gone" },
  ]);
  expect(await notices(other)).toEqual([]);
  await worker.close();
  await endpoint.close();
});

it("treats other sellers' deliveries and endpoints as unknown", async () => {
  const [api, other] = [await SellerApi.open(service), await SellerApi.open(service)];
  const { id } = await register(other);
  await other.createActive();
  const [theirs] = (await list(other)).results;
  const before = await list(other);
  for (const answer of [
    await api.call({ url: `${URL}${theirs?.id}/` }),
    await api.call({ url: `${URL}x/` }),
    await api.post(`${URL}${theirs?.id}/resend/`),
    await api.post(`${URL}x/resend/`),
  ])
    expect([answer.statusCode, answer.json()]).toEqual([
      404,
      { detail: "Not found. Finished deliveries are deleted after a while." },
    ]);
  for (const answer of [
    await api.post(`${URL}recover/`, { webhook_id: id, since: "2026-01-01T00:00:00Z" }),
    await api.post(`/sandbox/webhooks/${id}/example/`, { event: "checkout.failed" }),
    await api.post(`/sandbox/webhooks/${id}/rotate-secret/`),
  ])
    expect([answer.statusCode, answer.json()]).toEqual([404, { detail: "Not found." }]);
  expect((await list(api)).results).toEqual([]);
  expect(await list(other)).toEqual(before);
});
