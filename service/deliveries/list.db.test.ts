import { expect, it } from "vitest";
import type { Database } from "../db/database.ts";
import { Endpoint } from "../testing/endpoint.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";
import { listDeliveries } from "./read.ts";

const service = useTestService();

it.each([
  ["retrying", "delivery_retrying"],
  ["failed", "delivery_failed"],
] as const)(
  "deliveries with the state %s are found by an index, also with a cached plan",
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
