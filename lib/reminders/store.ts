import "server-only";
import { queryValue, concernsRow } from "#contract/process/database.ts";
import type { SentMessage } from "#contract/messages.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { leaseSql } from "#lib/db/lease.ts";
import type { Database } from "#lib/db/pool.ts";
import type { AmountStyle } from "#lib/format/format.ts";
import type { Remindable } from "#lib/search-index/query/remindable.ts";

/** Longer than a round and the calls of its last reminder. */
const LEASE = leaseSql(120);
const KEPT_DAYS = 100;

/**
 * Claims the planning of the seller's reminders for this process, at most once a minute. An account
 * that Duebook opened is never claimed: its own service plans.
 * @returns the claim; null if another process has it, it is too early, or nothing is to be planned
 */
export const takeTurn = (db: Database, { seller_id, mode }: KeyOwner) =>
  queryValue<string>(
    db,
    `update message_account a
        set ${LEASE.acquire}, next_at = clock_timestamp() + interval '1 minute'
      where seller_id = $1 and mode = $2 and next_at <= clock_timestamp() and ${LEASE.isFree("a")}
        and not exists (select from billing_account b
              where b.seller_id = a.seller_id and b.mode = a.mode)
      returning claim`,
    [seller_id, mode],
  );

export const endTurn = (db: Database, { seller_id, mode }: KeyOwner, claim: string) =>
  db.query(
    `update message_account set ${LEASE.release}
      where seller_id = $1 and mode = $2 and ${LEASE.isHeldBy("$3")}`,
    [seller_id, mode, claim],
  );

/** One step for one subscription and the moment from which the step's days are counted. */
export interface Due extends Remindable {
  step_id: number;
}

/** The subscriptions among `due` whose step need not be checked now. */
export async function readSettled(
  db: Database,
  { seller_id, mode }: KeyOwner,
  due: readonly Due[],
  now: Date,
): Promise<Set<string>> {
  const { rows } = await db.query<{ subscription_id: string }>(
    `select subscription_id from planned_reminder
       join unnest($3::text[], $4::bigint[], $5::timestamptz[]) as due (subscription_id, step_id, moment)
         using (subscription_id, step_id, moment)
      where seller_id = $1 and mode = $2 and (is_held or again_at is null or again_at > $6)`,
    [
      seller_id,
      mode,
      due.map(({ subscription_id }) => subscription_id),
      due.map(({ step_id }) => step_id),
      due.map(({ moment }) => moment),
      now,
    ],
  );
  return new Set(rows.map(({ subscription_id }) => subscription_id));
}

const KEY = "seller_id, mode, subscription_id, step_id, moment";
const keyOf = ({ seller_id, mode }: KeyOwner, { subscription_id, step_id, moment }: Due) => [
  seller_id,
  mode,
  subscription_id,
  step_id,
  moment,
];

/**
 * Marks a reminder as being handed over; from now on it cannot be held.
 * @param again_at when it is checked again if this process ends meanwhile
 * @returns false if the reminder is held
 */
export const beginHanding = (
  db: Database,
  owner: KeyOwner,
  due: Due,
  { at, again_at }: { at: Date; again_at: Date },
) =>
  concernsRow(
    db,
    `insert into planned_reminder (${KEY}, outcome, again_at, planned_at)
     values ($1, $2, $3, $4, $5, 'handing', $6, $7)
     on conflict (${KEY}) do update
       set outcome = excluded.outcome, again_at = excluded.again_at, planned_at = excluded.planned_at
       where not planned_reminder.is_held`,
    [...keyOf(owner, due), again_at, at],
  );

interface Planned {
  outcome: string;
  /** When the reminder is checked again; null if it is settled. */
  again_at: Date | null;
  at: Date;
  message: Pick<SentMessage, "id" | "state" | "channel" | "sent_at"> | null;
}

export const storePlanned = (
  db: Database,
  owner: KeyOwner,
  due: Due,
  { outcome, again_at, at, message }: Planned,
) =>
  db.query(
    `insert into planned_reminder as p (${KEY}, outcome, again_at, planned_at, message_id, state,
       channel, sent_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (${KEY}) do update
       set outcome = excluded.outcome, again_at = excluded.again_at,
           message_id = coalesce(excluded.message_id, p.message_id),
           state = coalesce(excluded.state, p.state),
           channel = coalesce(excluded.channel, p.channel),
           sent_at = coalesce(excluded.sent_at, p.sent_at)`,
    [
      ...keyOf(owner, due),
      outcome,
      again_at,
      at,
      message?.id ?? null,
      message?.state ?? null,
      message?.channel ?? null,
      message?.sent_at ?? null,
    ],
  );

/** Deletes rows that no step can need again. */
export const forgetOldPlanned = (db: Database, { seller_id, mode }: KeyOwner, now: Date) =>
  db.query(
    `delete from planned_reminder where seller_id = $1 and mode = $2
       and planned_at < $3::timestamptz - interval '${KEPT_DAYS} days'`,
    [seller_id, mode, now],
  );

/** Whether a reminder of the last day was handed over and is not known to have been sent. */
export const isAnyOnItsWay = (db: Database, { seller_id, mode }: KeyOwner, now: Date) =>
  concernsRow(
    db,
    `select from planned_reminder
      where seller_id = $1 and mode = $2 and state in ('queued', 'sending')
        and planned_at > $3::timestamptz - interval '1 day' limit 1`,
    [seller_id, mode, now],
  );

/** Stores the service's states of messages that this dashboard handed over; others are ignored. */
export const storeStates = (
  db: Database,
  { seller_id, mode }: KeyOwner,
  messages: readonly SentMessage[],
) =>
  db.query(
    `update planned_reminder p set state = m.state, channel = m.channel, sent_at = m.sent_at
       from jsonb_to_recordset($3) as m (id text, state text, channel text, sent_at timestamptz)
      where p.seller_id = $1 and p.mode = $2 and p.message_id = m.id
        and (p.state, p.sent_at) is distinct from (m.state, m.sent_at)`,
    [
      seller_id,
      mode,
      JSON.stringify(
        messages.map(({ id, state, channel, sent_at }) => ({ id, state, channel, sent_at })),
      ),
    ],
  );

/** The business that reminds, and how its amounts are written. */
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
