import { expect, it } from "vitest";
import type { EventKind } from "#contract/names.ts";
import { countPagesRead } from "#tools/testing/pages-read.ts";
import type { Database } from "../db/database.ts";
import { Endpoint } from "../testing/endpoint.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";
import { listDeliveries } from "./read.ts";
import type { DeliveryFilter } from "./store.ts";

const service = useTestService();

it.each([
  ["retrying", "delivery_retrying"],
  ["failed", "delivery_failed"],
  ["pending", "delivery_pending"],
  ["skipped", "delivery_skipped"],
] as const)(
  "the query for deliveries in the state %s uses an index even in a generic query plan",
  async (state, index) => {
    const endpoint = await Endpoint.listen();
    const api = await SellerApi.open(service);
    await endpoint.register(api, "checkout.succeeded");
    await api.createActive();
    await endpoint.close();
    const { pool } = service;
    const { seller_id } = api.seller;
    await pool.query(
      `insert into delivery (seller_id, webhook_id, event_id, event, subscription_id, body,
         created_at, state)
       select seller_id, webhook_id, event_id, event, subscription_id, '{}', created_at, 'delivered'
       from delivery, generate_series(1, 3000) where seller_id = $1`,
      [seller_id],
    );
    await pool.query("analyze delivery");
    const plan: string[] = [];
    const planned = async (text: string) => {
      const { rows } = await pool.query<Record<string, string>>(
        `explain (generic_plan) ${text}`,
      );
      plan.push(...rows.flatMap(Object.values));
      return { rows: [] };
    };
    const page = { before: null, limit: 100 };
    await listDeliveries({ query: planned } as unknown as Database, seller_id, { state }, page);
    expect(plan.join("\n")).toContain(index);
  },
);

it("a list of deliveries by rare state, rare event or subscription does not read the other deliveries", async () => {
  const { pool } = service;
  const { seller_id } = await service.createSeller();
  const { rows } = await pool.query<{ id: number }>(
    `insert into webhook (seller_id, event, endpoint_url, sealed_secret, created_at)
     values ($1, 'checkout.succeeded', 'https://shop.example/', '', now()) returning id`,
    [seller_id],
  );
  const webhook_id = rows[0]?.id ?? 0;
  const insert = (event: EventKind, state: string, tries: number, count: number) =>
    pool.query(
      `insert into delivery (seller_id, webhook_id, event_id, event, subscription_id, body, state, tries,
         created_at)
       select $1, $2, gen_random_uuid(), $3, md5((n % 2000)::text)::uuid, '{}', $4, $5, now()
       from generate_series(1, $6) n`,
      [seller_id, webhook_id, event, state, tries, count],
    );
  await insert("payment.disputed", "delivered", 1, 2);
  await insert("checkout.failed", "delivered", 1, 2);
  for (const state of ["pending", "failed", "skipped"])
    await insert("checkout.succeeded", state, 0, 2);
  await insert("checkout.succeeded", "pending", 1, 2);
  await insert("checkout.succeeded", "delivered", 1, 20_000);
  await pool.query("vacuum analyze delivery");
  const page = { before: null, limit: 100 };
  const filters: DeliveryFilter[] = [
    { state: "pending" },
    { state: "retrying" },
    { state: "failed" },
    { state: "skipped" },
    { state: "skipped", webhook_id },
    { event: "payment.disputed" },
    { event: "checkout.failed" },
    { subscription_id: "c4ca4238-a0b9-2382-0dcc-509a6f75849b" },
  ];
  for (const filter of filters) {
    expect((await listDeliveries(pool, seller_id, filter, page)).results).not.toEqual([]);
    const [count] = await countPagesRead(pool, (database) =>
      listDeliveries(database, seller_id, filter, page),
    );
    expect(count, JSON.stringify(filter)).toBeLessThan(100);
  }
});
