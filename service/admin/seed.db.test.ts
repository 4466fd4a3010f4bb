import { afterAll, beforeAll, expect, test } from "vitest";
import { ProductPage } from "#contract/products.ts";
import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import { SubscriptionPage } from "#contract/subscriptions.ts";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";
import type { SeededSeller } from "../seed/seed.ts";
import { runAdmin } from "../testing/admin.ts";
import { startTestService, type TestService } from "../testing/service.ts";

let database: TestDatabase;
let service: TestService;
let sellers: SeededSeller[];
let main: SeededSeller;

const seed = async () => {
  const { output } = await runAdmin(database.url, ["seed", "--branches", "35", "--json"]);
  return (JSON.parse(output) as { sellers: SeededSeller[] }).sellers;
};

beforeAll(async () => {
  database = await createTestDatabase("service");
  sellers = await seed();
  [main] = sellers as [SeededSeller];
  service = await startTestService(database.url);
  service.clock.advance(Date.now() - service.clock.now().getTime());
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const get = (seller: SeededSeller | undefined, path: string) =>
  service.app.inject({
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${seller?.keys[0]?.key}` },
  });

test("the main seller is listed first, and its first API key is active and of the service's mode", () => {
  expect(main).toMatchObject({
    name: "Phewa Home Services",
    mode: "test",
    state: "verified",
    keys: [
      {
        mode: "test",
        state: "active",
        key: expect.stringMatching(/^dbk_test_/),
      },
      {
        mode: "live",
        state: "active",
        key: expect.stringMatching(/^dbk_live_/),
      },
      {
        mode: "test",
        state: "inactive",
        key: expect.stringMatching(/^dbk_test_/),
      },
    ],
  });
});

test("only the main seller has an account token, which can list the seller's products", async () => {
  expect(sellers.map(({ account }) => account !== null)).toEqual([
    true,
    ...sellers.slice(1).map(() => false),
  ]);
  const { statusCode } = await service.app.inject({
    url: "/account/v1/products/",
    headers: { authorization: `Bearer ${main.account?.token}` },
  });
  expect(statusCode).toBe(200);
});

test.each(["subscriptions", "products", "customers", "webhooks"])(
  "the main seller has more than a hundred %s",
  async (noun) => {
    const { statusCode, body } = await get(main, `/${noun}/`);
    expect(statusCode).toBe(200);
    expect((JSON.parse(body) as { count: number }).count).toBeGreaterThan(100);
  },
);

test.each(SUBSCRIPTION_STATUSES)(
  "the main seller has several subscriptions in status %s",
  async (status) => {
    const page = SubscriptionPage.parse(
      (await get(main, `/subscriptions/?status=${status}`)).json(),
    );
    expect(page.count).toBeGreaterThan(5);
  },
);

test("the seed's output lists one-time purchases and a billing period that the product list hides", async () => {
  expect(main.one_time_purchases.length).toBeGreaterThan(3);
  for (const id of main.one_time_purchases)
    expect((await get(main, `/subscriptions/${id}/`)).json()).toMatchObject({
      status: "active",
      next_billing_cycle: null,
      current_period_start: null,
    });
  const first = ProductPage.parse((await get(main, "/products/?page_size=100")).json());
  expect(JSON.stringify(first)).not.toContain(`"${main.hidden_pbp_id}"`);
  expect(first.results[0]?.name).toBe("Fresh Milk at the Door");
});

test("seeded subscriptions are listed newest first, and none was created in the future", async () => {
  const { results } = SubscriptionPage.parse(
    (await get(main, "/subscriptions/?page_size=100")).json(),
  );
  const times = results.map((row) => row.created_at);
  expect(times).toEqual([...times].sort().reverse());
  expect(Date.parse(times[0] ?? "")).toBeLessThan(Date.now());
});

test("each further seller shows one kind of account, such as an unverified one or one without a valid key", async () => {
  const named = (name: string) => sellers.find((seller) => seller.name === name);
  const statusOf = async (name: string, path = "/subscriptions/") =>
    (await get(named(name), path)).statusCode;
  expect(await statusOf("Bagmati Wellness")).toBe(200);
  expect(await statusOf("Mechi Water")).toBe(200);
  expect(named("Mechi Water")?.api_usage_type).toBe("reminder_and_payment");
  expect(named("Karnali Dairy")?.api_usage_type).toBeNull();
  expect(named("Himal Fibre")?.state).toBe("not_verified");
  expect(await statusOf("Himal Fibre")).toBe(403);
  expect(await statusOf("Himal Fibre", "/products/")).toBe(200);
  expect(await statusOf("Lumbini Yoga", "/products/")).toBe(401);
});

test("a second run of the seed only adds an API key for the main seller, and lists that key first", async () => {
  const count = async () => {
    const { rows } = await service.pool.query<{ count: number }>(
      `select (select count(*) from subscription) + (select count(*) from customer)
         + (select count(*) from product) + (select count(*) from seller) as count`,
    );
    return rows[0]?.count;
  };
  const before = await count();
  const again = await seed();
  expect(await count()).toBe(before);
  expect(again[0]?.keys).toHaveLength(main.keys.length + 1);
  expect(again.map((seller) => seller.keys.filter(({ key }) => key !== null).length)).toEqual([
    1, 0, 0, 0, 0, 0,
  ]);
  expect((await get(again[0], "/products/")).statusCode).toBe(200);
});

test("the stored counts of subscriptions by seller and status match the subscriptions in the table", async () => {
  const { rows } = await service.pool.query(
    `select seller_id, status, is_one_time, rows from subscription_tally where size = 0
     except
     select seller_id, status, is_one_time, count(*)::int from subscription group by 1, 2, 3`,
  );
  expect(rows).toEqual([]);
});

test("a seed without options has twelve products and three webhook endpoints", async () => {
  const own = await createTestDatabase("service");
  const [usual] = (
    JSON.parse((await runAdmin(own.url, ["seed", "--json"])).output) as {
      sellers: SeededSeller[];
    }
  ).sellers;
  const other = await startTestService(own.url);
  const page = async (noun: string) => {
    const { body } = await other.app.inject({
      url: `/api/v1/${noun}/?page_size=100`,
      headers: { authorization: `Bearer ${usual?.keys[0]?.key}` },
    });
    return JSON.parse(body) as { count: number; results: { endpoint_url: string }[] };
  };
  expect((await page("products")).count).toBe(12);
  const { results } = await page("webhooks");
  expect(new Set(results.map(({ endpoint_url }) => endpoint_url)).size).toBe(3);
  await other.close();
  await own.drop();
});
