import type {
  PastChange,
  SubscriptionChangePage,
  SubscriptionChangeQuery,
} from "#contract/changes.ts";
import { queryRows, queryValue, type Database } from "../db/database.ts";

const CHANGE = `c.sequence::float8 as id, c.subscription_id, wire_time(c.recorded_at) as recorded_at,
  json_build_object('status', c.old_status, 'pbp_id', c.old_pbp_id, 'price', o.price::text,
    'currency', o.currency, 'current_period_start', wire_time(c.old_period_start),
    'next_billing_cycle', wire_time(c.old_next_billing)) as before,
  json_build_object('status', c.new_status, 'pbp_id', c.new_pbp_id, 'price', n.price::text,
    'currency', n.currency, 'current_period_start', wire_time(c.new_period_start),
    'next_billing_cycle', wire_time(c.new_next_billing)) as after`;
// The price of a billing period that was sold never changes.
const PRICES = `join billing_period o on o.seller_id = c.seller_id and o.pbp_id = c.old_pbp_id
  join billing_period n on n.seller_id = c.seller_id and n.pbp_id = c.new_pbp_id`;

/** The changes of all subscriptions, in the order in which they were recorded. */
export async function readHistory(
  database: Database,
  sellerId: number,
  { after, page_size }: SubscriptionChangeQuery,
): Promise<Omit<SubscriptionChangePage, "next"> & { has_more: boolean }> {
  const since = await queryValue<Date>(
    database,
    "select history_from from seller where seller_id = $1",
    [sellerId],
  );
  const rows = await queryRows<PastChange>(
    database,
    `select ${CHANGE} from subscription_change c ${PRICES}
     where c.seller_id = $1 and c.sequence > $2 order by c.sequence limit $3`,
    [sellerId, after, page_size + 1],
  );
  return {
    since: (since as Date).toISOString(),
    has_more: rows.length > page_size,
    results: rows.slice(0, page_size),
  };
}

/** The subscription changes of these transactions. */
export const selectHistoryOf = (
  database: Database,
  sellerId: number,
  told: readonly { id: string; transaction: string }[],
) =>
  queryRows<PastChange>(
    database,
    `select ${CHANGE} from subscription_change c ${PRICES}
     join (select distinct * from unnest($2::uuid[], $3::text[]) as t (id, transaction)) told
       on told.id = c.subscription_id and told.transaction::xid8 = c.transaction
     where c.seller_id = $1 order by c.sequence`,
    [sellerId, told.map(({ id }) => id), told.map(({ transaction }) => transaction)],
  );
