import type pg from "pg";
import { queryValue, type Database } from "../db/database.ts";
import { HAS_CHANNEL } from "./store.ts";

/**
 * The most queued messages that a statement changes, so that it ends in time at the largest seller
 * too.
 */
export const MOST_CHANGED = 1_000;

export interface MessageSweep {
  pool: pg.Pool;
  now: () => Date;
  /** Stops the sweep after the current statement. */
  signal: AbortSignal;
  onError: (error: unknown) => void;
  /** Called between statements, of which a sweep can have many. */
  onStatement: () => void;
}

/**
 * Concludes messages whose sender died while sending, and which may have been sent: a code that has
 * not expired is sent again, which is harmless; all others become unknown.
 */
export async function concludeAbandoned({ pool, now }: MessageSweep): Promise<void> {
  await pool.query(
    `update message set state_at = $1, leased_until = null,
       state = case when kind = 'code' and expires_at > $1 then 'queued' else 'unknown' end,
       sent_at = case when kind = 'code' and expires_at > $1 then sent_at else $1 end,
       body = case when kind = 'code' and expires_at <= $1 then null else body end,
       parameters = case when kind = 'code' and expires_at <= $1 then '{}' else parameters end,
       error = case when kind = 'code' and expires_at > $1 then null
         else 'The program that was sending it was stopped.' end
     where state = 'sending' and leased_until <= $1`,
    [now()],
  );
}

/** Ends messages for which it is too late. */
export async function expireMessages({
  pool,
  now,
  signal,
  onStatement,
}: MessageSweep): Promise<void> {
  const at = now();
  let ended = MOST_CHANGED;
  while (ended === MOST_CHANGED && !signal.aborted) {
    const { rowCount } = await pool.query(
      `with late as (
         select seller_id, message_id from message where state = 'queued' and expires_at <= $1
         order by expires_at limit $2 for update skip locked)
       update message m set state = 'expired', state_at = $1,
         body = case when m.kind = 'code' then null else m.body end,
         parameters = case when m.kind = 'code' then '{}' else m.parameters end
       from late l where m.seller_id = l.seller_id and m.message_id = l.message_id`,
      [at, MOST_CHANGED],
    );
    ended = rowCount ?? 0;
    onStatement();
  }
}

/** When the next queued message is due, or a code may be sent again whose sender died. */
export const nextMessageAt = (database: Database) =>
  queryValue<Date>(
    database,
    `select least(
       (select m.next_at from message m where m.state = 'queued' and m.kind = 'code'
          and ${HAS_CHANNEL} order by m.next_at limit 1),
       (select min(leased_until) from message where state = 'sending' and kind = 'code'),
       (select min(greatest(m.next_at, c.free_at)) from message_channel c cross join lateral (
          select m.next_at from message m
          where m.seller_id = c.seller_id and m.channel_id = c.channel_id and m.state = 'queued'
            and m.kind <> 'code'
          order by m.next_at limit 1) m
        where c.is_active))`,
  );
