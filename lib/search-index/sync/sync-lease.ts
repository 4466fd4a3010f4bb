import "server-only";
import { queryRow, queryValue } from "#contract/process/database.ts";
import type { Mode } from "#lib/scope.ts";
import type { FailureKind } from "#lib/failure.ts";
import { leaseSql } from "#lib/db/lease.ts";
import type { Database } from "#lib/db/pool.ts";
import type { ListName } from "#lib/billing/observe.ts";
import type { IndexOwner } from "#lib/search-index/records/terms.ts";

/**
 * The lease in seconds, longer than reading and writing a batch. After a crash, the job waits this
 * long.
 */
const LEASE = leaseSql(45);

/** A sync job leased by one worker. */
export interface SyncLease extends IndexOwner {
  claim: string;
  is_filled: boolean;
  /** The number of consecutive failures. */
  failures: number;
  /** Milliseconds since the last incremental sync or answer of the feed; null before the first. */
  age: number | null;
  /** The first id of each list at the last incremental sync; absent for an empty list. */
  newest: Partial<Record<ListName, string>>;
  /** The cursor in the service's feed of changes; null while it is not followed. */
  cursor: string | null;
  /** The last change read of the service's history, 0 before the first; null when all were read. */
  historyAfter: number | null;
  /** The last payment read of the service's list, empty before the first; null when all were read. */
  paymentsBefore: string | null;
}

/** Thrown when the index got another key or another worker: this slice must not write any more. */
export class SyncLeaseLost extends Error {
  override name = "SyncLeaseLost";
}

/** Leases the job that is overdue longest. Concurrent workers get different jobs. */
export const acquireSyncLease = (db: Database, modes: readonly Mode[]) =>
  queryRow<SyncLease>(
    db,
    `with next as (
       select seller_id, mode from mirror
        where is_on and mode = any($1)
          and (claimed_until is null and due_at <= now() or claimed_until <= now())
          and coalesce(wait_until, '-infinity') <= now()
        order by due_at limit 1 for update skip locked
     )
     update mirror m
        set ${LEASE.acquire}, due_at = 'infinity'
       from next where m.seller_id = next.seller_id and m.mode = next.mode
     returning m.seller_id, m.mode, m.copy as index_version, m.claim, m.filled_at is not null as is_filled,
               m.failures, m.newest, m.feed_cursor as cursor,
               m.payments_before as "paymentsBefore", m.history_after::float8 as "historyAfter",
               (extract(epoch from now() - m.read_at) * 1000)::float8 as age`,
    [modes],
  );

const MINE = `seller_id = $1 and mode = $2 and copy = $3 and ${LEASE.isHeldBy("$4")}`;
const mine = ({ seller_id, mode, index_version, claim }: SyncLease) => [
  seller_id,
  mode,
  index_version,
  claim,
];

/** Begins a statement over other tables: extends the lease; without it the statement does nothing. */
export const SYNC_LEASE_CTE = `with held as (
  update mirror set ${LEASE.extend} where ${MINE} returning 1)`;

/**
 * Runs a statement whose first four parameters are the lease's, and which returns `is_held` true
 * while the lease is held.
 * @throws SyncLeaseLost
 */
export async function withSyncLease<Row extends object>(
  db: Database,
  claimed: SyncLease,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const { rows } = await db.query<Row & { is_held: boolean }>(statement, [
    ...mine(claimed),
    ...values,
  ]);
  if (!rows[0]?.is_held) throw new SyncLeaseLost();
  return rows;
}

/** @throws SyncLeaseLost */
export const extendLease = (db: Database, claimed: SyncLease) =>
  withSyncLease(db, claimed, `${SYNC_LEASE_CTE} select true as is_held from held`);

type Progress =
  | "read_at"
  | "filled_at"
  | "newest"
  | "due_at"
  | "feed_cursor"
  | "followed_from"
  | "payments_before"
  | "history_after"
  | "payments_read_at"
  | "round_wanted_at";

/** Stores progress in the index's own row. @throws SyncLeaseLost */
export async function recordProgress(
  db: Database,
  claimed: SyncLease,
  reached: Partial<Record<Progress, string | number | null>>,
): Promise<void> {
  const columns = Object.keys(reached).map((column, at) => `${column} = $${at + 5}`);
  await withSyncLease(
    db,
    claimed,
    `update mirror set ${LEASE.extend}, ${columns.join(", ")}
      where ${MINE} returning true as is_held`,
    Object.values(reached),
  );
}

export interface SyncDelays {
  /** Seconds until the job is due again. */
  due: number;
  /** Why the sync waits, and for how many seconds. */
  halt: { error: FailureKind; wait: number } | null;
}

/** Releases the lease. A full sync requested meanwhile stays requested. */
export async function releaseSyncLease(
  db: Database,
  claimed: SyncLease,
  { due, halt }: SyncDelays,
): Promise<void> {
  await db.query(
    `update mirror
        set ${LEASE.release}, error = $5,
            failures = case when $5::text is null then 0 else failures + 1 end,
            wait_until = now() + make_interval(secs => $6),
            due_at = least(due_at, now() + make_interval(secs => $7),
              (select min(not_before) from mirror_hint h
                where h.seller_id = mirror.seller_id and h.mode = mirror.mode))
      where ${MINE}`,
    [...mine(claimed), halt?.error ?? null, halt?.wait ?? null, due],
  );
}

/** Releases the leases of a process that ends, so that other workers do not wait for them. */
export async function releaseSyncLeases(db: Database, claims: string[]): Promise<void> {
  const { rowCount } = await db.query(
    `update mirror set ${LEASE.release}, due_at = now() where claim = any($1)`,
    [claims],
  );
  if (rowCount) await db.query("select pg_notify('mirror', '')");
}

/** The leases among these whose index has other work by now. */
export async function findInterrupted(db: Database, claims: string[]): Promise<string[]> {
  const { rows } = await db.query<{ claim: string }>(
    "select claim from mirror where claim = any ($1) and due_at <= now()",
    [claims],
  );
  return rows.map(({ claim }) => claim);
}

/** Milliseconds until the next sync job is due; null if there are no jobs. */
export const msUntilDue = (db: Database, modes: readonly Mode[]) =>
  queryValue<number>(
    db,
    `select (extract(epoch from
              min(greatest(coalesce(claimed_until, due_at), wait_until)) - now()) * 1000)::float8
            as wait
       from mirror where is_on and mode = any($1)`,
    [modes],
  );
