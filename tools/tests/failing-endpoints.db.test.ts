import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { BillingClient } from "#lib/billing/client.ts";
import { readFailingEndpoints } from "#lib/webhooks/failing.ts";
import { recordRemovedEndpoint } from "#lib/billing/webhook-endpoints.ts";
import { createDeliveryWorker, type DeliveryWorker } from "../../service/deliveries/worker.ts";
import { SellerApi } from "../../service/testing/seller-api.ts";
import { answerWith, Endpoint } from "../../service/testing/endpoint.ts";
import { TEST_SECRETS_KEY } from "../../service/testing/service.ts";
import { useTestService } from "../../service/testing/use-service.ts";
import { createIndexOwner } from "../testing/fixtures/search-index-fixture.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";

/** Tests the list of failing endpoints on the overview, which is read from the service's API. */
useDashboardDatabase();
const service = useTestService();
let baseUrl: string;
let api: SellerApi;
let broken: Endpoint;
let worker: DeliveryWorker;

beforeAll(async () => {
  baseUrl = await service.app.listen({ host: "127.0.0.1", port: 0 });
});
beforeEach(async () => {
  service.clock.set(new Date().toISOString());
  api = await SellerApi.open(service);
  broken = await Endpoint.listen();
  broken.answer = answerWith(500);
  worker = createDeliveryWorker({
    pool: service.pool,
    now: service.clock.now,
    secretsKey: TEST_SECRETS_KEY,
    mode: "test",
    privateTargets: true,
    onError: (error) => expect.unreachable(String(error)),
  });
});
afterEach(async () => {
  await worker.close();
  await broken.close();
});

async function open() {
  const owner = await createIndexOwner();
  const billing = new BillingClient({
    baseUrl,
    connect: async () => ({ apiKey: api.seller.key, onKeyResult: async () => {} }),
  });
  const read = () =>
    readFailingEndpoints(pool, { billing, owner, now: service.clock.now().toISOString() });
  return { owner, read };
}

test("the overview lists a failing endpoint with its retried and given-up deliveries until it is removed", async () => {
  const { owner, read } = await open();
  const { id } = await broken.register(api, "checkout.succeeded");
  const whole = await Endpoint.listen();
  await whole.register(api, "checkout.succeeded");
  await api.createActive();
  await expect(read()).resolves.toEqual({ endpoints: [], counted: null });
  await worker.deliverDue();
  await whole.close();
  const failing = { endpoint_url: broken.url, is_off: false };
  await expect(read()).resolves.toEqual({
    endpoints: [{ ...failing, retrying: 1, given_up: 0 }],
    counted: null,
  });
  await service.pool.query(
    "update delivery set state = 'failed', finished_at = now() where webhook_id = $1",
    [id],
  );
  await expect(read()).resolves.toEqual({
    endpoints: [{ ...failing, retrying: 0, given_up: 1 }],
    counted: null,
  });
  await recordRemovedEndpoint(pool, owner, { id, endpoint_url: broken.url });
  await expect(read()).resolves.toMatchObject({ endpoints: [] });
});

test("the overview says when an endpoint has more retries than were counted", async () => {
  const { read } = await open();
  await broken.register(api, "checkout.succeeded");
  await api.createActive();
  await service.pool.query(
    `insert into delivery (seller_id, webhook_id, event_id, event, subscription_id, body,
       created_at, tries)
     select seller_id, webhook_id, event_id, event, subscription_id, '{}', created_at, 1
     from delivery, generate_series(1, 101) where seller_id = $1`,
    [api.seller.seller_id],
  );
  await expect(read()).resolves.toMatchObject({ endpoints: [{ retrying: 100 }], counted: 100 });
});
