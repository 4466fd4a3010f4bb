import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import { untilBlocked } from "#tools/testing/database.ts";
import { sweepLifecycle } from "../lifecycle/sweep.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { createCatalogue, testBuyer, withAccountToken } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
// The rows are on both sides of a border between two blocks of 16,384 positions.
const FIRST = 16_384 - 150;
const ROWS = 300;
const LANES = 6;

let sellerId: number;

beforeAll(async () => {
  const seller = await service.createSeller();
  sellerId = seller.seller_id;
  const { monthly } = await createCatalogue(service, seller);
  await service.pool.query(
    `insert into customer (seller_id, buyer_phone, phone_key, buyer_email, full_name, address,
       created_at)
     select $1, n::text, n::text, 'a@example.com', 'A', 'B', now() from generate_series(1, $2) n`,
    [sellerId, ROWS],
  );
  await service.pool.query(
    `insert into subscription (subscription_id, seller_id, position, customer_id, product_id,
       plan_id, pbp_id, is_one_time, status, phone, full_name, email, address, return_url,
       created_at)
     select gen_random_uuid(), $1, $2 + c.position, c.id, l.product_id, l.plan_id, b.pbp_id,
       false, 'pending_checkout', c.buyer_phone, c.full_name, c.buyer_email, c.address, '', now()
     from customer c cross join billing_period b join plan l using (plan_id)
     where c.seller_id = $1 and b.pbp_id = $3`,
    [sellerId, FIRST, monthly],
  );
});

interface Change {
  lane: number;
  from: number;
  rows: number;
  to: SubscriptionStatus;
}

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    lane: fc.nat(LANES - 1),
    from: fc.nat(ROWS),
    rows: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: ROWS })),
    to: fc.constantFrom(...SUBSCRIPTION_STATUSES),
  }),
  { minLength: 1, maxLength: 60 },
);

/** Changes the rows of a range in one statement, which locks them in the order of position. */
const apply = ({ from, rows, to }: Change) =>
  service.pool.query(
    `update subscription s set status = $4, next_billing_cycle =
       case when $4 in ('active', 'due', 'pending_cancellation') then now() end
     from (
       select subscription_id from subscription
       where seller_id = $1 and position > $2 and position <= $3
       order by position for no key update
     ) chosen where s.subscription_id = chosen.subscription_id`,
    [sellerId, FIRST + from, FIRST + from + rows, to],
  );

async function expectTruth() {
  const counted = `
    select s.seller_id, b.size, s.status, b.block, s.is_one_time, count(*)::int as rows
    from subscription s cross join lateral (
      values (0, 0::bigint), (16384, s.position / 16384), (128, s.position / 128)
    ) as b (size, block) group by 1, 2, 3, 4, 5`;
  const kept =
    "select seller_id, size, status, block, is_one_time, rows from subscription_tally where rows <> 0";
  const subscribers = `
    select product_id, count(*)::int as subscribers from subscription
    where status in ('active', 'due', 'pending_cancellation') and not is_one_time group by 1`;
  const keptSubscribers =
    "select product_id, subscribers from product_tally where subscribers <> 0";
  for (const [one, other] of [
    [counted, kept],
    [kept, counted],
    [subscribers, keptSubscribers],
    [keptSubscribers, subscribers],
  ]) {
    const { rows } = await service.pool.query(`(${one}) except (${other})`);
    expect(rows).toEqual([]);
  }
}

async function deadlocks() {
  const { rows } = await service.pool.query<{ deadlocks: number }>(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  return rows[0]?.deadlocks;
}

test("the stored subscription counts equal the counted rows after random concurrent changes, without deadlock", async () => {
  await fc.assert(
    fc.asyncProperty(changes, async (sequence) => {
      const lanes = Array.from({ length: LANES }, async (_, lane) => {
        for (const change of sequence.filter((one) => one.lane === lane)) await apply(change);
      });
      await Promise.all(lanes);
      await expectTruth();
    }),
    { numRuns: 25 },
  );
  expect(await deadlocks()).toBe(0);
}, 60_000);

/**
 * Does the work while a payment has locked the count of active subscriptions and then locks another
 * count.
 */
async function doDuringPayment<Result>(
  { seller: { seller_id } }: SellerApi,
  other: SubscriptionStatus,
  work: () => Promise<Result>,
) {
  const payment = await service.pool.connect();
  const lock = (status: SubscriptionStatus) =>
    payment.query(
      `select from subscription_tally
       where seller_id = $1 and size = 0 and status = $2 for update nowait`,
      [seller_id, status],
    );
  await payment.query("begin");
  try {
    await lock("active");
    const result = work();
    await untilBlocked(service.pool);
    expect(await lock(other)).toMatchObject({ rowCount: 1 });
    await payment.query("commit");
    return await result;
  } finally {
    payment.release(true);
  }
}

test("a sweep that waits for a payment has not locked any stored count that the payment needs", async () => {
  const api = await SellerApi.open(service, { grace_days: 7 });
  const sweep = () => sweepLifecycle({ pool: service.pool, now: service.clock.now });
  await api.createActive(api.periods.weekly);
  service.clock.set("2026-03-18T00:00:00Z");
  await sweep();
  await api.createActive(api.periods.weekly, { phone: "9800000002" });
  // The first subscription's grace period is over, and the second subscription is due.
  service.clock.set("2026-03-26T00:00:00Z");
  expect(await doDuringPayment(api, "due", sweep)).toBe(2);
});

test("a takeover that waits for a payment has not locked any stored count that the payment needs", async () => {
  const api = await SellerApi.open(service);
  await api.createActive(api.periods.weekly);
  const account = await withAccountToken(service, api.seller);
  const takeOver = () =>
    service.call(account, {
      method: "POST",
      url: "/account/v1/subscriptions/",
      payload: {
        pbp_id: api.periods.monthly,
        paid_until: "2026-04-01",
        return_url: "https://shop.example/thanks",
        client: testBuyer({ phone: "9800000002" }),
      },
    });
  const { statusCode } = await doDuringPayment(api, "pending_checkout", takeOver);
  expect(statusCode).toBe(201);
});
