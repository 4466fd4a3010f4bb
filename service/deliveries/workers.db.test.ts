import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";
import { countPagesRead } from "#tools/testing/pages-read.ts";
import { openPool } from "../db/database.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { Endpoint } from "../testing/endpoint.ts";
import { startTestService, TEST_SECRETS_KEY, type TestService } from "../testing/service.ts";
import { leaseEndpoints, selectDueDeliveries } from "./claim-store.ts";
import { releaseWaitingDeliveries } from "./record-store.ts";
import { createDeliveryWorker } from "./worker.ts";

let database: TestDatabase;
let service: TestService;
beforeAll(async () => {
  database = await createTestDatabase("service");
  service = await startTestService(database.url);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

it("four concurrent workers deliver each event exactly once, at most four at a time to one endpoint", async () => {
  service.clock.set(new Date().toISOString());
  const endpoints = await Promise.all(Array.from({ length: 5 }, () => Endpoint.listen()));
  const api = await SellerApi.open(service);
  for (const endpoint of endpoints) {
    endpoint.answer = (response) => void setTimeout(() => response.end(), 2);
    await endpoint.register(api, "subscription.status_changed");
  }
  const pools = [1, 2, 3, 4].map(() => openPool(database.url));
  const errors: unknown[] = [];
  const workers = pools.map((pool) =>
    createDeliveryWorker({
      pool,
      now: service.clock.now,
      secretsKey: TEST_SECRETS_KEY,
      mode: "test",
      privateTargets: true,
      onError: (error) => errors.push(error),
    }),
  );
  const change = async (index: number) => {
    const id = await api.createActive(api.periods.monthly, {
      phone: `98000000${index + 10}`,
    });
    await api.cancel(id);
    workers[index % workers.length]?.wake();
    await api.resume(id);
  };
  await Promise.all(Array.from({ length: 12 }, (_, index) => change(index)));
  // A worker that found an endpoint leased tries again when it is free: here, when all are
  // idle.
  for (let round = 0; round < 2; round += 1)
    await Promise.all(workers.map((worker) => worker.deliverDue()));
  for (const endpoint of endpoints) {
    const ids = endpoint.arrivals.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toHaveLength(36);
    expect(new Set(ids).size).toBe(36);
    expect(endpoint.atOnce).toBeLessThanOrEqual(4);
    await endpoint.close();
  }
  expect(errors).toEqual([]);
  await Promise.all(workers.map((worker) => worker.close()));
  await Promise.all(pools.map((pool) => pool.end()));
});

it("a worker reads few pages per delivery of a backlog, even if PostgreSQL's statistics contain no pending delivery", async () => {
  const { pool, clock } = service;
  const { seller_id } = await service.createSeller();
  const insert = (state: string, count: number) =>
    pool.query(
      `insert into delivery (seller_id, webhook_id, event_id, event, subscription_id, body, state, created_at)
       select $1, id, gen_random_uuid(), event, gen_random_uuid(), '{}', $2, now()
       from webhook, generate_series(1, $3) where seller_id = $1 order by id`,
      [seller_id, state, count],
    );
  await pool.query(
    `insert into webhook (seller_id, event, endpoint_url, sealed_secret, created_at)
     select $1, 'checkout.succeeded', 'https://shop.example/' || n, '', now() from generate_series(1, 20) n`,
    [seller_id],
  );
  await insert("delivered", 1_000);
  await pool.query("vacuum analyze delivery");
  await insert("pending", 200);
  const now = clock.now();
  const lease = { token: crypto.randomUUID(), now, until: new Date(now.getTime() + 60_000) };
  expect(await leaseEndpoints(pool, lease, 20)).toHaveLength(20);
  const order = { perEndpoint: 100, orderedFor: 60_000 };
  const due = await selectDueDeliveries(pool, lease, order);
  expect(due).toHaveLength(2_000);
  const counts = await countPagesRead(pool, async (database) => {
    await selectDueDeliveries(database, lease, order);
    await releaseWaitingDeliveries(database, due);
  });
  for (const pages of counts) expect(pages / due.length).toBeLessThan(10);
});
