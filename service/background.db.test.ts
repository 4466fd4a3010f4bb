import { afterEach, beforeEach, expect, it } from "vitest";
import { deleteOldDeliveries } from "./background.ts";
import { Endpoint } from "./testing/endpoint.ts";
import { SellerApi } from "./testing/seller-api.ts";
import { useDeliveryWorker, useTestService } from "./testing/use-service.ts";

const service = useTestService();
const DAY = 24 * 60 * 60 * 1_000;

let endpoint: Endpoint;
let api: SellerApi;
beforeEach(async () => {
  service.clock.set(new Date().toISOString());
  endpoint = await Endpoint.listen();
  api = await SellerApi.open(service);
});
afterEach(async () => {
  await endpoint.close();
});
const worker = useDeliveryWorker(service);

const kept = async (table: "delivery" | "delivery_attempt" | "event") => {
  const { rows } = await service.pool.query(
    `select * from ${table} where seller_id = $1 order by 1`,
    [api.seller.seller_id],
  );
  return rows;
};
const forget = (days: number) =>
  deleteOldDeliveries(service.pool, new Date(service.clock.now().getTime() - days * DAY));

it("the cleanup deletes deliveries that finished over 30 days ago and their attempts, and keeps the events", async () => {
  await endpoint.register(api, "checkout.succeeded");
  await api.createActive();
  await worker.deliverDue();
  expect(await forget(30)).toBe(0);
  service.clock.advance(31 * DAY);
  expect(await forget(30)).toBe(1);
  expect(await kept("delivery")).toEqual([]);
  expect(await kept("delivery_attempt")).toEqual([]);
  expect(await kept("event")).not.toEqual([]);
});

it("the cleanup deletes old skipped deliveries and keeps old pending deliveries", async () => {
  const { id } = await endpoint.register(api, "checkout.succeeded");
  await endpoint.register(api, "subscription.status_changed");
  await api.call({
    method: "PATCH",
    url: `/api/v1/webhooks/${id}/`,
    payload: { is_active: false },
  });
  await api.createActive();
  service.clock.advance(31 * DAY);
  expect(await forget(30)).toBe(1);
  expect(await kept("delivery")).toMatchObject([{ state: "pending" }]);
});

it("the cleanup keeps an old delivery that was resent, because its age counts from the last attempt", async () => {
  await endpoint.register(api, "checkout.succeeded");
  await api.createActive();
  await worker.deliverDue();
  const [{ delivery_id }] = (await kept("delivery")) as [{ delivery_id: number }];
  service.clock.advance(31 * DAY);
  expect((await api.post(`/sandbox/deliveries/${delivery_id}/resend/`)).statusCode).toBe(200);
  await forget(30);
  await worker.deliverDue();
  await forget(30);
  expect(await kept("delivery_attempt")).toHaveLength(2);
});

it("the cleanup deletes all 1,200 old failed deliveries although pending deliveries lie between them", async () => {
  const { id } = await endpoint.register(api, "checkout.succeeded");
  await service.pool.query(
    `insert into delivery (seller_id, webhook_id, event_id, event, subscription_id, body, state,
       created_at, finished_at)
     select $1, $2, gen_random_uuid(), 'checkout.succeeded', gen_random_uuid(), '{}',
       case when n % 3 = 0 then 'pending' else 'failed' end, $3, $3
     from generate_series(1, 1800) as n`,
    [api.seller.seller_id, id, service.clock.now()],
  );
  service.clock.advance(31 * DAY);
  expect(await forget(30)).toBe(1_200);
  expect(await kept("delivery")).toHaveLength(600);
});

it("reading or resending a deleted delivery answers 404 with a reason, and recovery skips the delivery", async () => {
  const { id: webhook_id } = await endpoint.register(api, "checkout.succeeded");
  await api.createActive();
  await service.pool.query("update delivery set state = 'failed', finished_at = $1", [
    service.clock.now(),
  ]);
  const [{ delivery_id }] = (await kept("delivery")) as [{ delivery_id: number }];
  const since = service.clock.now().toISOString();
  service.clock.advance(31 * DAY);
  await forget(30);
  const url = `/sandbox/deliveries/${delivery_id}/`;
  for (const answer of [await api.call({ url }), await api.post(`${url}resend/`)]) {
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({
      detail: "Not found. Finished deliveries are deleted after a while.",
    });
  }
  const recovered = await api.post("/sandbox/deliveries/recover/", { webhook_id, since });
  expect(recovered.json()).toEqual({ recovered: 0, left: 0 });
});
