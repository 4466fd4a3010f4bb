import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";
import { runAdmin } from "../testing/admin.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { startTestService, type TestService } from "../testing/service.ts";

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

function register({ seller }: SellerApi, period: string) {
  const buyer = ["--phone", "9800000001", "--full-name", "Asmita Rai"];
  const place = ["--email", "asmita@example.com", "--address", "Patan"];
  const words = ["register-purchase", "--seller", seller.name, "--period", period];
  return runAdmin(database.url, [...words, ...buyer, ...place, "--json"]);
}

test("register-purchase records a paid one-time purchase without a billing date, and refuses a recurring billing period", async () => {
  const api = await SellerApi.open(service);
  const { output } = await register(api, api.periods.once);
  const { subscription_id } = JSON.parse(output) as { subscription_id: string };
  expect(await api.read(subscription_id)).toMatchObject({
    status: "active",
    is_active: true,
    next_billing_cycle: null,
    client: { full_name: "Asmita Rai" },
  });
  expect(await api.list()).toMatchObject({ count: 1, total_subscriptions: 0 });
  expect(await register(api, api.periods.monthly)).toMatchObject({ code: 1 });
});

test("register-purchase dates a purchase by the seller's sandbox clock, even if that clock is ahead", async () => {
  const api = await SellerApi.open(service);
  const { seller_id } = api.seller;
  const query = (text: string) => service.pool.query<{ at: Date }>(text, [seller_id]);
  await query("update seller set clock_offset_ms = 30 * 86400000::bigint where seller_id = $1");
  const soon = Date.now() + 29 * 86_400_000;
  expect(await register(api, api.periods.once)).toMatchObject({ code: 0 });
  const { rows } = await query(
    `select unnest(array[s.created_at, p.paid_at, e.created_at]) as at
     from subscription s join payment p using (subscription_id) join event e using (subscription_id)
     where s.seller_id = $1`,
  );
  expect(rows).toHaveLength(6);
  for (const { at } of rows) expect(at.getTime()).toBeGreaterThan(soon);
});
