import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { openPool } from "../db/database.ts";
import { deliveryMetrics } from "../metrics.ts";
import { answerWith, Endpoint } from "../testing/endpoint.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { TEST_SECRETS_KEY } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { createDeliveryWorker } from "./worker.ts";

const service = useTestService();
const MINUTE = 60_000;

it("metrics count delivery attempts by outcome and endpoints by state, and give the age of due deliveries", async () => {
  service.clock.set(new Date().toISOString());
  const { pool, clock } = service;
  const registry = new Registry();
  const observer = deliveryMetrics(registry, pool, clock.now);
  const worker = createDeliveryWorker({
    pool,
    now: clock.now,
    secretsKey: TEST_SECRETS_KEY,
    mode: "test",
    privateTargets: true,
    observer,
    random: () => 0.5,
  });
  const [good, failing, gone] = await Promise.all([
    Endpoint.listen(),
    Endpoint.listen(),
    Endpoint.listen(),
  ]);
  failing.answer = answerWith(500);
  gone.answer = answerWith(410);
  const api = await SellerApi.open(service);
  for (const endpoint of [good, failing, gone])
    await endpoint.register(api, "checkout.succeeded");
  await api.createActive();
  await worker.deliverDue();
  const read = async () => (await registry.metrics()).split("\n");
  expect(await read()).toEqual(
    expect.arrayContaining([
      'webhook_attempt_duration_seconds_count{outcome="delivered"} 1',
      'webhook_attempt_duration_seconds_count{outcome="retried"} 1',
      'webhook_attempt_duration_seconds_count{outcome="failed"} 1',
      "webhook_first_attempt_delay_seconds_count 3",
      'webhook_switched_off_total{reason="gone"} 1',
      'webhook_deliveries{state="due"} 0',
      'webhook_deliveries{state="waiting"} 1',
      'webhook_registrations{state="active"} 2',
      'webhook_registrations{state="failing"} 1',
      'webhook_registrations{state="paused"} 1',
    ]),
  );
  clock.advance(MINUTE);
  expect(await read()).toEqual(
    expect.arrayContaining([
      'webhook_deliveries{state="due"} 1',
      'webhook_oldest_delivery_seconds{state="due"} 55',
    ]),
  );
  await worker.close();
  await Promise.all([good, failing, gone].map((endpoint) => endpoint.close()));
});

it("delivery metrics are served without a database, and values that need a query are omitted", async () => {
  const pool = openPool("postgresql://nobody@127.0.0.1:1/none");
  const registry = new Registry();
  deliveryMetrics(registry, pool, service.clock.now);
  const text = await registry.metrics();
  expect(text).toContain("webhook_first_attempt_delay_seconds_count 0");
  expect(text).not.toContain("webhook_deliveries{");
  await pool.end();
});
