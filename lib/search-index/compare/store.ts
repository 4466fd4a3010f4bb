import "server-only";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { inTransaction, type Database } from "#lib/db/pool.ts";
import {
  type Comparison,
  type Comparisons,
  DIFFERING_STATES,
  type DifferingRecord,
} from "./differences.ts";

/** The comparison under way and the last finished one, each with its differences. */
export async function selectComparisons(db: Database, owner: KeyOwner): Promise<Comparisons> {
  const rows = await selectRows(db, owner);
  const [open, last] = await Promise.all(
    [true, false].map(async (isOpen) => {
      const found = rows.find(({ ended_at }) => (ended_at === null) === isOpen);
      return found ? withDifferences(db, owner, found) : null;
    }),
  );
  return { open: open ?? null, last: last ?? null };
}

type WithoutDifferences = Omit<Comparison, "differences" | "by_state">;

async function selectRows(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<WithoutDifferences[]> {
  const { rows } = await db.query<
    WithoutDifferences & { started_at: Date; ended_at: Date | null }
  >(
    `select c.id, c.reach, c.phase, u.name as started_by, c.started_at, c.ended_at,
            coalesce(c.claimed_until > now(), false) as is_busy, c.compared,
            (c.place ->> 'expected')::integer as expected, c.failure, c.report,
            (select count(*)::int from reconciliation_record r
              where r.check_id = c.id and r.state = 'waiting') as waiting
       from reconciliation c left join app_user u on u.id = c.started_by
      where c.seller_id = $1 and c.mode = $2
        -- Reports of earlier versions have another shape.
        and not coalesce(c.report #> '{counts,0}' ? 'copy', false)
      order by c.ended_at desc nulls first limit 2`,
    [seller_id, mode],
  );
  return rows.map(({ started_at, ended_at, ...row }) => ({
    ...row,
    started_at: started_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  }));
}

const MAX_SHOWN = 50;

async function withDifferences(
  db: Database,
  { seller_id, mode }: KeyOwner,
  comparison: WithoutDifferences,
): Promise<Comparison> {
  const values = [comparison.id, seller_id, mode];
  const { rows: counted } = await db.query<{ state: DifferingRecord["state"]; count: number }>(
    `select state, count(*)::int as count from reconciliation_record
      where check_id = $1 and seller_id = $2 and mode = $3
        and state not in ('waiting', 'equal', 'unknown')
      group by state`,
    values,
  );
  const { rows: differences } = await db.query<DifferingRecord>(
    `select r.id as subscription_id, r.state, s.full_name as buyer, r.fields
       from reconciliation_record r left join mirror_subscription s
         on s.seller_id = r.seller_id and s.mode = r.mode and s.id = r.id
      where r.check_id = $1 and r.seller_id = $2 and r.mode = $3 and r.state = any($4)
      order by r.state, r.id limit ${MAX_SHOWN}`,
    [...values, [...DIFFERING_STATES, "unread", "moving"]],
  );
  const by_state = Object.fromEntries(counted.map(({ state, count }) => [state, count]));
  return { ...comparison, by_state, differences };
}

/** @returns false while there is no complete index to compare */
export async function startComparison(
  pool: Pick<pg.Pool, "connect">,
  { seller_id, mode }: KeyOwner,
  user_id: string | null,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `select 1 from mirror
        where seller_id = $1 and mode = $2 and filled_at is not null for update`,
      [seller_id, mode],
    );
    if (rowCount === 0) return false;
    await client.query(
      "delete from reconciliation where seller_id = $1 and mode = $2 and ended_at is null",
      [seller_id, mode],
    );
    await client.query(
      "insert into reconciliation (seller_id, mode, reach, started_by) values ($1, $2, 'all', $3)",
      [seller_id, mode, user_id],
    );
    return true;
  });
}
