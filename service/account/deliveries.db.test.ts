import { describe, expect, it } from "vitest";
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

async function register(api: SellerApi, event = "subscription.status_changed") {
  const endpoint_url = "https://shop.example/hook";
  const answer = await api.post("/api/v1/webhooks/", { event, endpoint_url });
  return {
    id: answer.json<{ id: number }>().id,
    secret: String(answer.headers[WEBHOOK_SECRET_HEADER]),
  };
}

const list = async (api: SellerApi, url: string) =>
  DeliveryPage.parse((await api.call({ url })).json());

describe.each(["/account/v1", "/sandbox"])("the API of deliveries under %s", (root) => {
  const URL = `${root}/deliveries/`;

  it("lists deliveries newest first, in pages, and filtered by state and endpoint", async () => {
    const api = await SellerApi.open(service);
    const { id } = await register(api);
    const subscription = await api.createActive();
    await api.cancel(subscription);
    await api.resume(subscription);
    const whole = await list(api, URL);
    expect(whole.results).toHaveLength(3);
    const ids = whole.results.map((delivery) => delivery.id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
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

  it("distinguishes retrying from pending deliveries, and can omit skipped deliveries", async () => {
    const api = await SellerApi.open(service);
    await register(api);
    const subscription = await api.createActive();
    await api.cancel(subscription);
    await api.resume(subscription);
    const [newest, second] = (await list(api, URL)).results;
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

  it("queues an example delivery, returns the delivery, and accepts a request to resend the delivery", async () => {
    const api = await SellerApi.open(service);
    const { id } = await register(api);
    const event = "checkout.succeeded";
    const { delivery_id } = SentExample.parse(
      (await api.post(`${root}/webhooks/${id}/example/`, { event })).json(),
    );
    const delivery = Delivery.parse((await api.call({ url: `${URL}${delivery_id}/` })).json());
    expect(delivery).toMatchObject({ event, state: "pending", attempts: 0, attempt_list: [] });
    expect(JSON.parse(delivery.body)).toMatchObject({ event, reason: "example" });
    expect((await api.post(`${URL}${delivery_id}/resend/`)).statusCode).toBe(200);
  });

  it("resends the deliveries that failed since a given time", async () => {
    const api = await SellerApi.open(service);
    const { id: webhook_id } = await register(api);
    await api.createActive();
    await service.pool.query("update delivery set state = 'failed' where seller_id = $1", [
      api.seller.seller_id,
    ]);
    const recover = async (since: string) =>
      RecoveredDeliveries.parse(
        (await api.post(`${URL}recover/`, { webhook_id, since })).json(),
      ).recovered;
    expect(await recover("2026-03-11T00:00:00Z")).toBe(0);
    expect(await recover("2026-03-10T00:00:00Z")).toBe(1);
  });

  it("rotates a signing secret and returns it only in a header, and not again for the same Idempotency-Key", async () => {
    const api = await SellerApi.open(service);
    const { id, secret } = await register(api);
    const headers = { "idempotency-key": "rotate" };
    const answer = await api.post(`${root}/webhooks/${id}/rotate-secret/`, undefined, headers);
    const rotated = String(answer.headers[WEBHOOK_SECRET_HEADER]);
    expect(rotated).toMatch(/^whsec_/);
    expect(rotated).not.toBe(secret);
    expect(answer.body).not.toContain("whsec_");
    const again = await api.post(`${root}/webhooks/${id}/rotate-secret/`, undefined, headers);
    expect([again.body, again.headers[WEBHOOK_SECRET_HEADER]]).toEqual([
      answer.body,
      undefined,
    ]);
  });

  it("tells only the seller of an endpoint why the endpoint was switched off", async () => {
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
      NoticeList.parse((await seller.call({ url: `${root}/webhooks/notices/` })).json())
        .results;
    expect(await notices(api)).toMatchObject([
      { webhook_id: id, endpoint_url: endpoint.url, kind: "gone" },
    ]);
    expect(await notices(other)).toEqual([]);
    await worker.close();
    await endpoint.close();
  });

  it("answers with a 404 for deliveries and endpoints of another seller", async () => {
    const [api, other] = [await SellerApi.open(service), await SellerApi.open(service)];
    const { id } = await register(other);
    await other.createActive();
    const [theirs] = (await list(other, URL)).results;
    const before = await list(other, URL);
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
      await api.post(`${root}/webhooks/${id}/example/`, { event: "checkout.failed" }),
      await api.post(`${root}/webhooks/${id}/rotate-secret/`),
    ])
      expect([answer.statusCode, answer.json()]).toEqual([404, { detail: "Not found." }]);
    expect((await list(api, URL)).results).toEqual([]);
    expect(await list(other, URL)).toEqual(before);
  });
});

describe("in live mode", () => {
  const live = useTestService("live");
  it("an API key can send an example delivery, and list, resend and recover deliveries", async () => {
    const api = await SellerApi.open(live);
    const { id } = await register(api, "checkout.failed");
    const root = "/account/v1";
    const sent = await api.post(`${root}/webhooks/${id}/example/`, {
      event: "checkout.failed",
    });
    const { delivery_id } = SentExample.parse(sent.json());
    const url = `${root}/deliveries/`;
    expect((await list(api, url)).results).toMatchObject([
      { id: delivery_id, state: "pending" },
    ]);
    const delivery = await api.call({ url: `${url}${delivery_id}/` });
    expect(Delivery.parse(delivery.json()).attempt_list).toEqual([]);
    const since = "2026-01-01T00:00:00Z";
    const recovered = await api.post(`${url}recover/`, { webhook_id: id, since });
    expect(RecoveredDeliveries.parse(recovered.json())).toEqual({ recovered: 0, left: 0 });
    expect((await api.post(`${url}${delivery_id}/resend/`)).statusCode).toBe(200);
    const notices = await api.call({ url: `${root}/webhooks/notices/` });
    expect(NoticeList.parse(notices.json()).results).toEqual([]);
    expect((await api.call({ url: "/sandbox/deliveries/" })).statusCode).toBe(404);
  });
});

describe("the rotation of a signing secret", () => {
  it("ends the old secret after a day, after the given number of hours, or at once", async () => {
    const api = await SellerApi.open(service);
    const { id } = await register(api);
    const url = `/account/v1/webhooks/${id}/rotate-secret/`;
    const end = async () => {
      const { rows } = await service.pool.query<{ end: Date }>(
        "select previous_secret_until as end from webhook where id = $1",
        [id],
      );
      return (+(rows[0]?.end ?? 0) - +service.clock.now()) / 3_600_000;
    };
    const rotate = async (body?: object) => {
      const answer = await api.post(url, body);
      return [answer.statusCode, answer.json().message, await end()];
    };
    const shown = "The new one is shown only in this answer.";
    const kept = (hours: number) => `The old secret stays valid for ${hours} hours. ${shown}`;
    expect(await rotate()).toEqual([200, kept(24), 24]);
    expect(await rotate({})).toEqual([200, kept(24), 24]);
    expect(await rotate({ overlap_hours: 2 })).toEqual([200, kept(2), 2]);
    expect(await rotate({ overlap_hours: 0 })).toEqual([
      200,
      `The old secret has ended. ${shown}`,
      0,
    ]);
    for (const overlap_hours of [-1, 169, 1.5, "1"])
      expect((await rotate({ overlap_hours }))[0]).toBe(400);
  });
});
