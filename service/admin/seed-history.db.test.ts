import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";
import type { PaidChange } from "../seed/history-rows.ts";
import type { SeededSeller } from "../seed/seed.ts";
import { amountOn, selectListedPrice } from "../subscriptions/pricing.ts";
import { localDate } from "#contract/process/local-day.ts";
import { runAdmin } from "../testing/admin.ts";
import { startTestService, type TestService } from "../testing/service.ts";

let databases: TestDatabase[];
let service: TestService;
let history: PaidChange[];
let plain: TestDatabase;
let key: string;

const seedInto = async (database: TestDatabase | undefined, words: string[]) => {
  const { output, complaint } = await runAdmin(database?.url ?? "", [
    "seed",
    "--json",
    ...words,
  ]);
  expect(complaint).toBe("");
  return (JSON.parse(output) as { sellers: SeededSeller[] }).sellers[0] as SeededSeller;
};

beforeAll(async () => {
  databases = [await createTestDatabase("service"), await createTestDatabase("service")];
  [, plain] = databases as [TestDatabase, TestDatabase];
  // The two seeds run in parallel, so that both use the same day.
  const [main] = await Promise.all([
    seedInto(databases[0], ["--history"]),
    seedInto(plain, []),
  ]);
  history = main.history;
  key = main.keys[0]?.key ?? "";
  service = await startTestService(databases[0]?.url ?? "");
});
afterAll(async () => {
  await service.close();
  for (const database of databases) await database.drop();
});

const all = async <Row extends object>(text: string) =>
  (await service.pool.query<Row>(text)).rows;

test("seeded payments cover more than ten months, each between the creation of its subscription and now", async () => {
  const months = await all<{ month: string }>(
    "select distinct to_char(paid_at, 'YYYY-MM') as month from payment",
  );
  expect(months.length).toBeGreaterThan(10);
  const [{ wrong }] = (await all<{ wrong: number }>(
    `select count(*)::int as wrong from payment join subscription using (subscription_id)
     where paid_at < subscription.created_at or paid_at > now()`,
  )) as [{ wrong: number }];
  expect(wrong).toBe(0);
});

test("each seeded payment has the amount that the checkout charged on the payment day", async () => {
  const paid = history.filter(({ payment }) => payment !== null);
  expect(paid.length).toBeGreaterThan(400);
  const [{ seller_id }] = (await all<{ seller_id: number }>(
    "select seller_id from payment limit 1",
  )) as [{ seller_id: number }];
  const wrong: PaidChange[] = [];
  for (const one of paid) {
    const day = localDate(new Date(one.at), "Asia/Kathmandu").toString();
    const price = await selectListedPrice(service.pool, seller_id, one.pbp_id);
    if (amountOn(price, day).total !== one.payment?.amount) wrong.push(one);
  }
  expect(wrong).toEqual([]);
});

test("each seeded subscription ends in the same state with a history as without a history", async () => {
  const other = await startTestService(plain.url);
  const subscriptionData = `select subscription_id, status, next_billing_cycle from subscription
    order by subscription_id`;
  const { rows } = await other.pool.query(subscriptionData);
  await other.close();
  expect(await all(subscriptionData)).toEqual(rows);
  const last = new Map(history.map((one) => [one.subscription_id, one]));
  const records = await all<{
    subscription_id: string;
    status: string;
    current_period_start: Date | null;
  }>("select subscription_id, status, current_period_start from subscription");
  const [{ unlike }] = (await all<{ unlike: number }>(
    `select count(*)::int as unlike from subscription s join lateral (
       select * from subscription_change c where c.subscription_id = s.subscription_id
       order by sequence desc limit 1) c on true
     where (c.new_status, c.new_pbp_id, c.new_period_start, c.new_next_billing)
       is distinct from (s.status, s.pbp_id, s.current_period_start, s.next_billing_cycle)`,
  )) as [{ unlike: number }];
  expect(unlike).toBe(0);
  for (const { subscription_id, status, current_period_start } of records) {
    const { new_status, new_start } = last.get(subscription_id) ?? {};
    if (new_status === undefined) continue;
    expect([subscription_id, new_status, new_start && new Date(new_start)]).toEqual([
      subscription_id,
      status,
      current_period_start,
    ]);
  }
});

test("every seeded delivery was delivered or skipped, and some were delivered at the second attempt", async () => {
  const answer = await service.app.inject({
    url: "/sandbox/deliveries/?state=delivered",
    headers: { authorization: `Bearer ${key}` },
  });
  expect(answer.statusCode).toBe(200);
  const { results } = answer.json() as { results: { event: string; attempts: number }[] };
  expect(results.length).toBeGreaterThan(10);
  const states = await all<{ state: string }>("select distinct state from delivery order by 1");
  expect(states.map(({ state }) => state)).toEqual(["delivered", "skipped"]);
  const ended = await all(
    "select delivery_id from delivery where body::json ->> 'new_status' = 'inactive'",
  );
  expect(ended.length).toBeGreaterThan(0);
  const retried = await all("select delivery_id from delivery where tries = 2");
  expect(retried.length).toBeGreaterThan(0);
});
