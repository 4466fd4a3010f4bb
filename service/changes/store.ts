import type pg from "pg";
import type { FeedKind } from "#contract/names.ts";
import { queryRow, queryRows, type Database } from "../db/database.ts";
import { isPossibleSnapshot, type Cursor } from "./cursor.ts";

/** The current end of the feed, from which a cursor begins. */
export interface FeedState {
  origin: string;
  replacements: number;
  snapshot: string;
}

export const readFeedState = async (database: Database, sellerId: number) =>
  (await queryRow<FeedState>(
    database,
    `select feed_origin() as origin, sandbox_replacements as replacements,
       pg_current_snapshot()::text as snapshot
     from seller where seller_id = $1`,
    [sellerId],
  )) as FeedState;

export interface ChangeRow {
  transaction: string;
  sequence: number;
  kind: FeedKind;
  id: string;
  is_new: boolean;
  recorded_at: Date;
}

type PageRow = FeedState & { is_readable: boolean; until: string } & (
    ChangeRow | { sequence: null }
  );

interface FeedPage extends FeedState {
  /** False for snapshots that this database cannot have given. */
  is_readable: boolean;
  /** The snapshot up to which the rows go. */
  until: string;
  rows: ChangeRow[];
}

/**
 * The rows after a cursor, by transaction and sequence. The first page whose snapshot sees a
 * transaction lists its rows, however late it commits; so none is skipped and none comes twice.
 */
export async function selectChanges(
  database: Database,
  { sellerId, since: [since], until, after }: Cursor,
  limit: number,
): Promise<FeedPage> {
  const [first, sequence] = after ?? [since.split(":")[0], 0];
  // A cursor with an impossible snapshot must not fail the statement.
  const isPossible = [since, until?.[0] ?? since].every(isPossibleSnapshot);
  const rows = await queryRows<PageRow>(
    database,
    `with feed as materialized (
       select feed_origin() as origin, sandbox_replacements as replacements,
         pg_current_snapshot() as snapshot,
         $2::pg_snapshot as since, coalesce($3::pg_snapshot, pg_current_snapshot()) as until
       from seller where seller_id = $1
     ), checked as materialized (
       select *, coalesce(pg_snapshot_xmax(since) <= pg_snapshot_xmax(until)
         and pg_snapshot_xmax(until) <= pg_snapshot_xmax(snapshot), false) as is_readable
       from feed
     )
     select f.origin, f.replacements, f.snapshot::text as snapshot, f.until::text as until,
       f.is_readable, c.transaction::text as transaction, c.sequence, c.kind, c.id, c.is_new,
       c.recorded_at
     from checked f left join lateral (
       select * from record_change c
       where f.is_readable and c.seller_id = $1
         and (c.transaction, c.sequence) > ($4::text::xid8, $5::bigint)
         and not pg_visible_in_snapshot(c.transaction, f.since)
         and pg_visible_in_snapshot(c.transaction, f.until)
       order by c.transaction, c.sequence limit $6
     ) c on true
     order by c.transaction, c.sequence`,
    [
      sellerId,
      isPossible ? since : null,
      isPossible ? (until?.[0] ?? null) : null,
      first,
      sequence,
      limit,
    ],
  );
  const [state] = rows as [PageRow, ...PageRow[]];
  return {
    origin: state.origin,
    replacements: state.replacements,
    snapshot: state.snapshot,
    is_readable: state.is_readable,
    until: state.until,
    rows: rows.filter((row): row is FeedState & PageRow & ChangeRow => row.sequence !== null),
  };
}

type Place = Pick<Cursor, "sellerId" | "replacements" | "since">;

/** The indexes of the positions after which something changed or the account was replaced. */
export async function findNews(database: Database, places: Place[]): Promise<number[]> {
  const rows = await queryRows<{ at: number }>(
    database,
    `select w.at::int - 1 as at
     from unnest($1::bigint[], $2::bigint[], $3::pg_snapshot[])
       with ordinality as w (seller_id, replacements, since, at)
     join seller s using (seller_id)
     where s.sandbox_replacements <> w.replacements or exists (
       select from record_change c
       where c.seller_id = w.seller_id and c.transaction >= pg_snapshot_xmin(w.since)
         and not pg_visible_in_snapshot(c.transaction, w.since))`,
    [
      places.map(({ sellerId }) => sellerId),
      places.map(({ replacements }) => replacements),
      places.map(({ since: [snapshot] }) => snapshot),
    ],
  );
  return rows.map(({ at }) => at);
}

/** For a transaction that replaces an account: readers are told to read everything again. */
export const stopRecordingChanges = (database: Database) =>
  database.query("select set_config('duebook.changes', 'off', true)");

/** Days for which changes are kept; a cursor is accepted for one day less. */
export const DAYS_KEPT = 8;
const BATCH = 5_000;

/** Deletes rows recorded before a time, in batches. */
export async function deleteOldChanges(
  pool: pg.Pool,
  before: Date,
  signal?: AbortSignal,
): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH && !signal?.aborted;) {
    const { rowCount } = await pool.query(
      `delete from record_change where (seller_id, transaction, sequence) in (
         select seller_id, transaction, sequence from record_change
         where recorded_at < $1 order by recorded_at limit ${BATCH})`,
      [before],
    );
    deleted = rowCount ?? 0;
  }
}
