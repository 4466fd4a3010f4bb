import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { leaseSql } from "#lib/db/lease.ts";
import type { Database } from "#lib/db/pool.ts";
import type { AmountStyle } from "#lib/format/format.ts";

/** Longer than a round and the calls of its last reminder. */
const LEASE = leaseSql(120);
const KEPT_DAYS = 100;

/**
 * Takes the seller's turn to plan, once a minute in one process; not if Duebook opened their
 * account, whose service plans by itself.
 * @returns the claim; null if it is not their turn
 */
export async function takeTurn(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<string | null> {
  const { rows } = await db.query<{ claim: string }>(
    `update message_account a
        set ${LEASE.acquire}, next_at = clock_timestamp() + interval '1 minute'
      where seller_id = $1 and mode = $2 and next_at <= clock_timestamp() and ${LEASE.isFree("a")}
        and not exists (select from billing_account b
              where b.seller_id = a.seller_id and b.mode = a.mode)
      returning claim`,
    [seller_id, mode],
  );
  return rows[0]?.claim ?? null;
}

export const endTurn = (db: Database, { seller_id, mode }: KeyOwner, claim: string) =>
  db.query(
    `update message_account set ${LEASE.release}
      where seller_id = $1 and mode = $2 and ${LEASE.isHeldBy("$3")}`,
    [seller_id, mode, claim],
  );

/** Those of the causes that are not to be looked at now. */
export async function readSettledCauses(
  db: Database,
  { seller_id, mode }: KeyOwner,
  causes: string[],
  now: Date,
): Promise<Set<string>> {
  const { rows } = await db.query<{ cause: string }>(
    `select cause from planned_reminder
      where seller_id = $1 and mode = $2 and cause = any ($3)
        and (again_at is null or again_at > $4)`,
    [seller_id, mode, causes, now],
  );
  return new Set(rows.map(({ cause }) => cause));
}

export interface Planned {
  cause: string;
  outcome: string;
  /** Null if it is settled. */
  again_at: Date | null;
  at: Date;
}

export const storePlanned = (
  db: Database,
  { seller_id, mode }: KeyOwner,
  { cause, outcome, again_at, at }: Planned,
) =>
  db.query(
    `insert into planned_reminder (seller_id, mode, cause, outcome, again_at, planned_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (seller_id, mode, cause) do update
       set outcome = excluded.outcome, again_at = excluded.again_at`,
    [seller_id, mode, cause, outcome, again_at, at],
  );

/** Deletes what no step can meet again. */
export const forgetOldPlanned = (db: Database, { seller_id, mode }: KeyOwner, now: Date) =>
  db.query(
    `delete from planned_reminder where seller_id = $1 and mode = $2
       and planned_at < $3::timestamptz - interval '${KEPT_DAYS} days'`,
    [seller_id, mode, now],
  );

/** Who reminds, and how amounts are written. */
export interface Sender {
  name: string;
  currency: string;
  amount_style: AmountStyle;
}

export async function readSender(db: Database, { seller_id }: KeyOwner): Promise<Sender> {
  const { rows } = await db.query<Sender>(
    "select name, currency, amount_style from seller where id = $1",
    [seller_id],
  );
  const [seller] = rows;
  if (!seller) throw new Error("the seller of a message account is missing");
  return seller;
}
