import "server-only";
import type pg from "pg";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database, inTransaction, type Database } from "#lib/db/pool.ts";
import { readIndexStatus } from "#lib/search-index/query/index-status.ts";
import { enqueueRefresh, requestFullSync } from "#lib/search-index/sync/refresh-queue.ts";
import type { Check, DifferingRecord, Reconciliation } from "./queries.ts";
import { WRONG, type Reach } from "./differences.ts";

export async function getReconciliation(scope: Scope): Promise<Reconciliation> {
  const { owner } = await requireSeller(scope, "connection:read");
  return selectReconciliation(database(), owner);
}

/** What is under way, and what came out of the last one that ended. */
export async function selectReconciliation(
  db: Database,
  owner: KeyOwner,
): Promise<Reconciliation> {
  const copy = await readIndexStatus(db, owner);
  const checks = await selectChecks(db, owner);
  const [open, last] = await Promise.all(
    [true, false].map(async (isOpen) => {
      const found = checks.find(({ ended_at }) => (ended_at === null) === isOpen);
      return found ? withRecords(db, owner, found) : null;
    }),
  );
  return { copy: copy.state, open: open ?? null, last: last ?? null };
}

type CheckRow = Omit<Check, "started_at" | "ended_at" | "differences" | "by_state"> & {
  started_at: Date;
  ended_at: Date | null;
};

async function selectChecks(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<Omit<Check, "differences" | "by_state">[]> {
  const { rows } = await db.query<CheckRow>(
    `select c.id, c.reach, c.phase, u.name as started_by, c.started_at, c.ended_at,
            c.paused_at is not null as is_paused,
            coalesce(c.claimed_until > now(), false) as is_busy, c.compared,
            (c.place ->> 'expected')::integer as expected, c.failure, c.report,
            (select count(*)::int from reconciliation_record r
              where r.check_id = c.id and r.state = 'waiting') as waiting
       from reconciliation c left join app_user u on u.id = c.started_by
      where c.seller_id = $1 and c.mode = $2 order by c.ended_at desc nulls first limit 2`,
    [seller_id, mode],
  );
  return rows.map(({ started_at, ended_at, ...row }) => ({
    ...row,
    started_at: started_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  }));
}

const MOST_SHOWN = 50;

async function withRecords(
  db: Database,
  { seller_id, mode }: KeyOwner,
  check: Omit<Check, "differences" | "by_state">,
): Promise<Check> {
  const whose = [check.id, seller_id, mode];
  const { rows: counted } = await db.query<{ state: DifferingRecord["state"]; count: number }>(
    `select state, count(*)::int as count from reconciliation_record
      where check_id = $1 and seller_id = $2 and mode = $3 and state not in ('waiting', 'equal')
      group by state`,
    whose,
  );
  const { rows: shown } = await db.query<DifferingRecord>(
    `select r.id as subscription_id, r.state, s.full_name as buyer, r.fields
       from reconciliation_record r left join mirror_subscription s
         on s.seller_id = r.seller_id and s.mode = r.mode and s.id = r.id
      where r.check_id = $1 and r.seller_id = $2 and r.mode = $3 and r.state = any($4)
      order by r.state, r.id limit ${MOST_SHOWN}`,
    [...whose, [...WRONG, "unread", "moving"]],
  );
  const by_state = Object.fromEntries(counted.map(({ state, count }) => [state, count]));
  const count = counted
    .filter(({ state }) => state !== "unknown")
    .reduce((sum, one) => sum + one.count, 0);
  return { ...check, by_state, differences: { count, shown } };
}

/** @returns false while there is no filled copy to compare with */
export async function startCheck(
  pool: Pick<pg.Pool, "connect">,
  owner: KeyOwner,
  { reach, user_id }: { reach: Reach; user_id: string | null },
): Promise<boolean> {
  const { seller_id, mode } = owner;
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `select 1 from mirror
        where seller_id = $1 and mode = $2 and is_on and filled_at is not null for update`,
      [seller_id, mode],
    );
    if (rowCount === 0) return false;
    await client.query(
      "delete from reconciliation where seller_id = $1 and mode = $2 and ended_at is null",
      [seller_id, mode],
    );
    await client.query(
      "insert into reconciliation (seller_id, mode, reach, started_by) values ($1, $2, $3, $4)",
      [seller_id, mode, reach, user_id],
    );
    return true;
  });
}

export async function pauseCheck(
  db: Database,
  { seller_id, mode }: KeyOwner,
  id: string,
  is_paused: boolean,
): Promise<void> {
  await db.query(
    `update reconciliation set paused_at = case when $4 then now() end, failure = null
      where id = $1 and seller_id = $2 and mode = $3 and ended_at is null`,
    [id, seller_id, mode, is_paused],
  );
}

/**
 * Opens one that ended again: what differed is compared anew once the copy has read it again.
 * @returns how many records that are; null where there is none that ended, or nothing to repair it by
 */
export async function repairCheck(
  pool: pg.Pool,
  owner: KeyOwner,
  id: string,
  how: "records" | "everything",
): Promise<number | null> {
  const whose = [id, owner.seller_id, owner.mode];
  const ids = await inTransaction(pool, async (client) => {
    // One that was begun since and not ended gives way: two at a time would be in each other's way.
    await client.query(
      `delete from reconciliation where id <> $1 and seller_id = $2 and mode = $3
          and ended_at is null
          and exists (select 1 from reconciliation where id = $1 and seller_id = $2 and mode = $3
                        and ended_at is not null)`,
      whose,
    );
    const { rowCount } = await client.query(
      `update reconciliation set ended_at = null, paused_at = null, phase = 'repairing',
              compared = 0, place = place - 'expected'
        where id = $1 and seller_id = $2 and mode = $3 and ended_at is not null`,
      whose,
    );
    if (rowCount === 0) return null;
    const { rows } = await client.query<{ id: string }>(
      `update reconciliation_record set state = 'waiting', is_repaired = true
        where check_id = $1 and seller_id = $2 and mode = $3 and state = any($4) returning id`,
      [...whose, WRONG],
    );
    return rows.map((row) => row.id);
  });
  if (ids === null) return null;
  if (how === "everything") await requestFullSync(pool, owner);
  else await enqueueRefresh(pool, owner, "subscriptions", ids);
  return ids.length;
}
