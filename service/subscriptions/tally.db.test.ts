import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import { createCatalogue } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { selectSubscriptionPage } from "./list-store.ts";

const service = useTestService();
const SIZES = [0, 128, 16_384];

const status = fc.constantFrom(...SUBSCRIPTION_STATUSES);
// Positions near the borders of both sizes of block.
const position = fc.oneof(
  fc.integer({ min: 1, max: 400 }),
  fc.integer({ min: 16_250, max: 16_520 }),
  fc.integer({ min: 32_700, max: 33_000 }),
);
const rows = fc.uniqueArray(fc.record({ position, status }), {
  selector: (row: { position: number }) => row.position,
  minLength: 1,
  maxLength: 150,
});
const moves = fc.array(
  fc.record({ from: status, to: status, every: fc.integer({ min: 1, max: 3 }) }),
  {
    maxLength: 6,
  },
);

const RUNS = `status in ('active', 'due', 'pending_cancellation')`;

/** Inserts rows by SQL, because the trigger and the pages are tested for every writer. */
async function fill(
  sellerId: number,
  pbpId: string,
  given: { position: number; status: string }[],
) {
  await service.pool.query(
    `with given as (
       select * from jsonb_to_recordset($2) as g (position bigint, status text)
     ), buyer as (
       insert into customer (seller_id, phone_key, buyer_phone, buyer_email, full_name, address, created_at)
       select $1, position, position, '', '', '', now() from given returning id, phone_key
     )
     insert into subscription (subscription_id, seller_id, position, customer_id, product_id, plan_id,
       pbp_id, is_one_time, status, phone, full_name, email, address, return_url, created_at,
       next_billing_cycle)
     select gen_random_uuid(), $1, g.position, b.id, l.product_id, l.plan_id, p.pbp_id, false, g.status,
       '', '', '', '', '', now(), case when ${RUNS} then now() end
     from given g join buyer b on b.phone_key = g.position::text,
       billing_period p join plan l using (plan_id) where p.pbp_id = $3`,
    [sellerId, JSON.stringify(given), pbpId],
  );
}

async function move(
  sellerId: number,
  { from, to, every }: { from: string; to: string; every: number },
) {
  await service.pool.query(
    `update subscription set status = $3,
       next_billing_cycle = case when $3 in ('active', 'due', 'pending_cancellation') then now() end
     where seller_id = $1 and status = $2 and position % $4 = 0`,
    [sellerId, from, to, every],
  );
}

const kept = async (sellerId: number, size: number) => {
  const result = await service.pool.query(
    `select status, block, rows from subscription_tally
     where seller_id = $1 and size = $2 and rows <> 0 order by status, block`,
    [sellerId, size],
  );
  return result.rows;
};
const counted = async (sellerId: number, size: number) => {
  const result = await service.pool.query(
    `select status, case when $2 = 0 then 0 else position / greatest($2, 1) end as block,
       count(*)::int as rows
     from subscription where seller_id = $1 group by 1, 2 order by 1, 2`,
    [sellerId, size],
  );
  return result.rows;
};

async function expectPages(sellerId: number, wanted: SubscriptionStatus) {
  const { rows: all } = await service.pool.query<{ subscription_id: string }>(
    `select subscription_id from subscription where seller_id = $1 and status = $2
     order by position desc`,
    [sellerId, wanted],
  );
  const paged: string[] = [];
  for (let page = 1; (page - 1) * 17 <= all.length; page += 1) {
    const { rows: part } = await selectSubscriptionPage(
      service.pool,
      sellerId,
      { page, pageSize: 17 },
      wanted,
    );
    paged.push(...part.map((row) => row.subscription_id));
  }
  expect(paged).toEqual(all.map((row) => row.subscription_id));
}

async function next() {
  const seller = await service.createSeller();
  const { monthly } = await createCatalogue(service, seller);
  return { sellerId: seller.seller_id, pbpId: monthly };
}

describe("the stored subscription counts", () => {
  it(
    "Spec, Pagination: equal the counted rows after random changes, and the pages of each status are complete",
    { timeout: 60_000 },
    () =>
      fc.assert(
        fc.asyncProperty(rows, moves, async (given, changes) => {
          const { sellerId, pbpId } = await next();
          await fill(sellerId, pbpId, given);
          for (const change of changes) await move(sellerId, change);
          for (const size of SIZES)
            expect(await kept(sellerId, size)).toEqual(await counted(sellerId, size));
          const { tallies } = await selectSubscriptionPage(service.pool, sellerId, {
            page: 1,
            pageSize: 1,
          });
          const total = tallies.reduce((sum, tally) => sum + tally.rows, 0);
          expect(total).toBe(given.length);
          for (const one of SUBSCRIPTION_STATUSES) await expectPages(sellerId, one);
        }),
        { numRuns: 40 },
      ),
  );

  it("Spec, total_subscribers: equal each product's counted subscriptions after random changes", () =>
    fc.assert(
      fc.asyncProperty(rows, moves, async (given, changes) => {
        const { sellerId, pbpId } = await next();
        await fill(sellerId, pbpId, given);
        for (const change of changes) await move(sellerId, change);
        const { rows: found } = await service.pool.query(
          `select t.subscribers, (select count(*)::int from subscription s
             where s.product_id = p.product_id and s.${RUNS}) as counted
           from product p left join product_tally t using (product_id) where p.seller_id = $1`,
          [sellerId],
        );
        for (const row of found) expect(row.subscribers ?? 0).toBe(row.counted);
      }),
      { numRuns: 20 },
    ));
});
