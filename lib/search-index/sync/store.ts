import "server-only";
import type { PastChange } from "#contract/changes.ts";
import type { AccountPayment } from "#contract/payments.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type pg from "pg";
import { type Database, inLongTransaction, singleRow } from "#lib/db/pool.ts";
import { type IndexOwner, learnTerms, termPrefix } from "#lib/search-index/records/terms.ts";
import type { ListName } from "#lib/billing/observe.ts";
import { storableText } from "#lib/text/fold-text.ts";
import {
  changeRowsOf,
  INDEXED_LISTS,
  paymentDetailRowsOf,
  paymentRowsOf,
  type IndexRow,
} from "#lib/search-index/records/lists.ts";

/**
 * Writes an answer into the index unless the index was restarted meanwhile. The later request wins;
 * if two overlapping answers differ, the record is read again.
 * @param asked_at by readClock, before the request
 */
export async function storeRows(
  db: Database,
  { seller_id, mode, index_version }: IndexOwner,
  list: ListName,
  rows: IndexRow[],
  asked_at: string,
): Promise<void> {
  if (rows.length === 0) return;
  const owner = { seller_id, mode, index_version };
  await learnTerms(db, owner, rows);
  // Named, so that it is planned once per connection.
  await db.query({
    name: `store-${list}`,
    text: UPSERT[list],
    values: [seller_id, mode, index_version, toJson(rows), asked_at, termPrefix(owner)],
  });
}

const UPSERT = {
  products: upsert("products"),
  customers: upsert("customers"),
  subscriptions: upsert("subscriptions"),
};

function upsert(list: ListName): string {
  const { table, columns, readOne } = INDEXED_LISTS[list];
  const names = Object.keys(columns);
  const typed = Object.entries({ ...columns, record: "jsonb" });
  const newer = [...names, "record"].map(
    (name) =>
      `${name} = case when excluded.asked_at >= t.asked_at then ${newerValueOf(name)} else t.${name} end`,
  );
  // Rows are locked in the order of their ids, so that two writers never deadlock.
  const written = `insert into ${table} as t
      (seller_id, mode, id, ${names.join(", ")}, record, asked_at, read_at)
    select $1, $2, r.id, ${names.map(valueOf).join(", ")}, r.record,
           $5::timestamptz, clock_timestamp()
      from held, jsonb_to_recordset($4::jsonb)
        as r(id text, ${typed.map(([name, type]) => `${name} ${type}`).join(", ")})
     order by r.id
    on conflict (seller_id, mode, id) do update
      set ${newer.join(", ")},
          asked_at = greatest(excluded.asked_at, t.asked_at),
          read_at = greatest(excluded.read_at, t.read_at),
          in_doubt = t.read_at > excluded.asked_at and t.record <> excluded.record
      where t.asked_at < excluded.read_at
    returning id, in_doubt`;
  const held = `held as (select 1 from mirror
    where seller_id = $1 and mode = $2 and copy = $3 for share)`;
  if (!readOne) return `with ${held} ${written}`;
  return `with ${held}, written as (${written})
    insert into mirror_hint (seller_id, mode, list, id)
    select $1, $2, '${list}', id from written where in_doubt order by id
    on conflict (seller_id, mode, list, id) do update
      set hinted_at = clock_timestamp(), not_before = now(), tries = 0`;
}

/**
 * SQL of a column's newer value. A billing period that is no longer listed keeps its price steps: it
 * is archived, and its subscribers pay the price that they were sold.
 */
function newerValueOf(name: string): string {
  if (name !== "price_steps") return `excluded.${name}`;
  return `excluded.price_steps || coalesce((
    select jsonb_agg(known) from jsonb_array_elements(t.price_steps) as known
     where not excluded.price_steps @>
       jsonb_build_array(jsonb_build_object('pbp_id', known->'pbp_id'))), '[]')`;
}

/** SQL of a column's value; tokens get the prefix of their owner. */
function valueOf(name: string): string {
  return name === "words"
    ? "array_to_tsvector(array(select $6 || unnest(r.words)))"
    : `r.${name}`;
}

/**
 * The rows as JSON without NUL and lone surrogates: PostgreSQL rejects both, which would fail the
 * whole page.
 */
export function toJson(rows: readonly unknown[]): string {
  const text = JSON.stringify(rows);
  if (!/\\u(?:0000|d[89a-f])/i.test(text)) return text;
  return JSON.stringify(rows, (_name, value: unknown) =>
    typeof value === "string" ? storableText(value) : value,
  );
}

/** Removes a record that the API no longer has, unless an answer showed it again later. */
export async function removeRow(
  db: Database,
  { seller_id, mode }: KeyOwner,
  list: ListName,
  id: string,
  asked_at: string,
): Promise<void> {
  await db.query(
    `delete from ${INDEXED_LISTS[list].table}
      where seller_id = $1 and mode = $2 and id = $3 and asked_at <= $4`,
    [seller_id, mode, id, asked_at],
  );
}

/** Milliseconds for a statement over all of a seller's rows: less than a sync lease. */
export const SCAN_TIMEOUT = 40_000;

/** Counts the rows read since a time, and those read before. */
export async function countRowsSince(
  pool: Pick<pg.Pool, "connect">,
  { seller_id, mode }: KeyOwner,
  list: ListName,
  since: string,
): Promise<{ fresh: number; missed: number }> {
  const { rows } = await inLongTransaction(pool, SCAN_TIMEOUT, (db) =>
    db.query<{ fresh: number; missed: number }>(
      `select count(*) filter (where asked_at >= $3)::int as fresh,
              count(*) filter (where asked_at < $3)::int as missed
         from ${INDEXED_LISTS[list].table} where seller_id = $1 and mode = $2`,
      [seller_id, mode, since],
    ),
  );
  return rows[0] ?? { fresh: 0, missed: 0 };
}

const AT_A_TIME = 5_000;

/** Removes rows that were not seen since a time. */
export async function removeUnseenRows(
  db: Database,
  { seller_id, mode }: KeyOwner,
  list: ListName,
  since: string,
): Promise<void> {
  const { table } = INDEXED_LISTS[list];
  for (let removed = AT_A_TIME; removed === AT_A_TIME;) {
    const { rowCount } = await db.query(
      `delete from ${table} where seller_id = $1 and mode = $2 and id in
         (select id from ${table} where seller_id = $1 and mode = $2 and asked_at < $3
           order by id limit ${AT_A_TIME} for update)
         and asked_at < $3`,
      [seller_id, mode, since],
    );
    removed = rowCount ?? 0;
  }
}

/** Adds payments that records showed but neither a delivery nor the service's own record reported. */
export async function recordSeenPayments(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<void> {
  // Runs in batches, because the first run after an update can find all payments ever seen.
  let settled: number;
  do {
    const { rows } = await db.query<{ settled: number }>(
      "select keep_shown_payments($1, $2) as settled",
      [seller_id, mode],
    );
    ({ settled } = singleRow(rows));
  } while (settled > 0);
}

/**
 * Adds changes of the service's history of its subscriptions, if it keeps one.
 * @param isNews false for changes of the past
 */
export async function recordToldChanges(
  db: Database,
  { seller_id, mode }: KeyOwner,
  changes: readonly PastChange[],
  isNews: boolean,
): Promise<void> {
  const rows = changeRowsOf(changes);
  if (rows.length > 0)
    await db.query("select keep_told_changes($1, $2, $3, $4)", [
      seller_id,
      mode,
      toJson(rows),
      isNews,
    ]);
}

/**
 * Adds payments of the service's own record, or updates those that are there already.
 * @param isNews false for payments of the past
 */
export async function recordToldPayments(
  db: Database,
  { seller_id, mode }: KeyOwner,
  payments: readonly AccountPayment[],
  isNews: boolean,
): Promise<void> {
  const rows = paymentRowsOf(payments);
  if (rows.length === 0) return;
  await db.query("select keep_told_payments($1, $2, $3, $4)", [
    seller_id,
    mode,
    toJson(rows),
    isNews,
  ]);
  await db.query(KEEP_DETAILS, [seller_id, mode, toJson(paymentDetailRowsOf(payments))]);
}

/**
 * Most payments have no details and no row; a payment that has lost its last detail keeps an empty
 * row.
 */
const KEEP_DETAILS = `
  with told as (
    select * from jsonb_to_recordset($3) as t (payment_id text, subscription_id text,
      refunded numeric, refund_owed numeric, reversed_at timestamptz, recorded jsonb)
  ), kept as (
    insert into payment_detail as d (seller_id, mode, payment_id, subscription_id, refunded,
      refund_owed, reversed_at, recorded)
    select $1, $2, t.payment_id, t.subscription_id, t.refunded, t.refund_owed, t.reversed_at,
           nullif(t.recorded, 'null')
      from told t
     where t.refunded > 0 or t.refund_owed > 0 or t.reversed_at is not null
        or nullif(t.recorded, 'null') is not null
        or exists (select from payment_detail e
             where e.seller_id = $1 and e.mode = $2 and e.payment_id = t.payment_id)
    on conflict (seller_id, mode, payment_id) do update
       set refunded = excluded.refunded, refund_owed = excluded.refund_owed,
           reversed_at = excluded.reversed_at, recorded = excluded.recorded
     where (d.refunded, d.refund_owed, d.reversed_at, d.recorded) is distinct from
           (excluded.refunded, excluded.refund_owed, excluded.reversed_at, excluded.recorded)
    returning subscription_id
  )
  select notify_live($1, $2, 'proofs', array_agg(distinct subscription_id)) from kept
  having count(*) > 0`;
