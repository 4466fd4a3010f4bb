import { CustomerPage } from "#contract/customers.ts";
import { ProductPage } from "#contract/products.ts";
import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import type { SubscriptionPage } from "#contract/subscriptions.ts";
import type { SellerApi } from "../seller-api.ts";
import type { ServiceClient } from "../service.ts";

interface Counted {
  status: string;
  is_one_time: boolean;
  rows: number;
}

const COUNT = `
  select status, is_one_time, count(*) as rows from subscription where seller_id = $1 group by 1, 2`;

const TALLIES_ASTRAY = `
  with kept as (
    select size, status, block, is_one_time, rows::bigint from subscription_tally
    where seller_id = $1 and rows <> 0
  ), counted as (
    select b.size, s.status, b.block, s.is_one_time, count(*) as rows from subscription s
    cross join lateral (
      values (0, 0::bigint), (16384, s.position / 16384), (128, s.position / 128)
    ) as b (size, block)
    where s.seller_id = $1 group by 1, 2, 3, 4
  )
  (table kept except table counted) union all (table counted except table kept)`;

/**
 * How much the tallies differ from a recount, 0 if they agree. A tally with another number counts
 * twice: as kept and as counted.
 */
export async function countWrongTallies(
  pool: ServiceClient["pool"],
  seller_id: number,
): Promise<number> {
  return (await pool.query(TALLIES_ASTRAY, [seller_id])).rowCount ?? 0;
}

/** Compares every list, count and counter with a recount; returns the differences. */
export async function checkCounters(api: SellerApi<ServiceClient>): Promise<string[]> {
  const { pool } = api.service;
  const { seller_id } = api.seller;
  const { rows } = await pool.query<Counted>(COUNT, [seller_id]);
  const astray = await countWrongTallies(pool, seller_id);
  const problems = astray === 0 ? [] : [`${astray} tallies differ from a recount`];
  const expect = (what: string, said: unknown, counted: number) => {
    if (Number(said) !== counted) problems.push(`${what}: ${String(said)}, not ${counted}`);
  };
  const sum = (fits: (row: Counted) => boolean) =>
    rows.filter(fits).reduce((total, row) => total + row.rows, 0);
  const subscriptionData = (...statuses: string[]) =>
    sum((row) => !row.is_one_time && statuses.includes(row.status));

  for (const status of [undefined, ...SUBSCRIPTION_STATUSES]) {
    const what = `the list of ${status ?? "all"}`;
    const { count, results, last } = await readPages(api, status);
    const counted = sum((row) => status === undefined || row.status === status);
    expect(`${what}: count`, count, counted);
    expect(`${what}: rows`, new Set(results).size, counted);
    expect(
      `${what}: total`,
      last.total_subscriptions,
      sum((row) => !row.is_one_time),
    );
    expect(`${what}: active`, last.active_subscriptions, subscriptionData("active"));
    expect(`${what}: due`, last.due_subscriptions, subscriptionData("due"));
    expect(`${what}: inactive`, last.inactive_subscriptions, subscriptionData("inactive"));
  }
  const products = ProductPage.parse((await api.call({ url: "/api/v1/products/" })).json());
  const subscribers = subscriptionData("active", "due", "pending_cancellation");
  expect("subscribers", products.results[0]?.total_subscribers, subscribers);
  const customers = CustomerPage.parse((await api.call({ url: "/api/v1/customers/" })).json());
  const { rowCount: buyers } = await pool.query("select 1 from customer where seller_id = $1", [
    seller_id,
  ]);
  expect("customers", customers.count, buyers ?? 0);
  return problems;
}

async function readPages(api: SellerApi<ServiceClient>, status: string | undefined) {
  const results: string[] = [];
  let last: SubscriptionPage;
  let next: string | null = `?page_size=100${status ? `&status=${status}` : ""}`;
  do {
    last = await api.list(next);
    results.push(...last.results.map((row) => row.subscription_id));
    next = last.next && new URL(last.next).search;
  } while (next !== null);
  return { count: last.count, results, last };
}
