import { MAX_PAGE_SIZE } from "#contract/names.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import { queryRows, type Database } from "../db/database.ts";
import type { Paging } from "../http/pagination.ts";
import { selectSubscriptionSql, type SubscriptionRow } from "./store.ts";

export interface StatusTally {
  status: SubscriptionStatus;
  is_one_time: boolean;
  rows: number;
}

/**
 * One page of all, or of a status. Positions have no gaps, so a page of all is a range of them.
 * For a status the counters lead from the wide blocks to one narrow block, so that fewer than
 * 128 rows are skipped however deep the page is.
 */
export async function selectSubscriptionPage(
  database: Database,
  sellerId: number,
  { page, pageSize }: Paging,
  status?: SubscriptionStatus,
) {
  type Row = SubscriptionRow & { tallies: StatusTally[] | null };
  const place = [sellerId, (page - 1) * pageSize, pageSize];
  const rows = await (status === undefined
    ? queryRows<Row>(database, PAGE_OF_ALL, place)
    : queryRows<Row>(database, PAGE_OF_STATUS, [...place, status]));
  // An empty page still returns one row of nulls, for the counters.
  return {
    tallies: rows[0]?.tallies ?? [],
    rows: rows.filter((row) => row.subscription_id !== null),
  };
}

// One statement, so that count, counters and rows are consistent. The constant limit only tells the
// planner how few rows are joined.
const withTallies = (page: string) => `
  with kept as (
    select coalesce(sum(rows), 0) as count,
      json_agg(json_build_object('status', status, 'is_one_time', is_one_time, 'rows', rows))
        as tallies
    from subscription_tally where seller_id = $1 and size = 0
  ), ${page}
  select s.*, case when row_number() over (order by s.position desc) = 1 then k.tallies end as tallies
  from kept k left join (
    ${selectSubscriptionSql("page")} where s.seller_id = $1) s on true
  order by s.position desc`;

const PAGE_OF_ALL = withTallies(`page as (
    select s.* from kept k cross join lateral (
      select * from subscription
      where seller_id = $1 and position <= k.count - $2 and position > k.count - $2 - $3::bigint
      order by position desc limit ${MAX_PAGE_SIZE}
    ) s
  )`);

// Each level is a lateral subquery with a limit: in a free join, the planner may read a whole
// level.
const PAGE_OF_STATUS = withTallies(`wide as (
    select block, newer from (
      select block, sum(rows) as rows,
             sum(sum(rows)) over (order by block desc) - sum(rows) as newer
      from subscription_tally
      where seller_id = $1 and size = 16384 and status = $4 and rows > 0 group by block
    ) t where newer <= $2 and newer + rows > $2 limit 1
  ), narrow as (
    select n.block, n.newer from wide w cross join lateral (
      select block, sum(rows) as rows,
             w.newer + sum(sum(rows)) over (order by block desc) - sum(rows) as newer
      from subscription_tally
      where seller_id = $1 and size = 128 and status = $4 and rows > 0
        and block >= w.block * 128 and block < (w.block + 1) * 128 group by block
    ) n where n.newer <= $2 and n.newer + n.rows > $2 limit 1
  ), chosen as (
    select c.position from narrow n cross join lateral (
      select position from subscription
      where seller_id = $1 and status = $4 and position < (n.block + 1) * 128
      order by position desc offset $2 - n.newer limit $3
    ) c limit ${MAX_PAGE_SIZE}
  ), page as (
    select s.* from chosen c join subscription s on s.seller_id = $1 and s.position = c.position
  )`);
