import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";

/** What a webhook said; whoever knows its address can have sent it. */
export interface ReceivedEvent {
  subscription_id: string;
  /** Null where there was none that is a short text. */
  event: string | null;
  new_status: string | null;
}

/** That are kept of a copy; older ones go. */
const MOST_KEPT = 1_000;
export const DAYS_KEPT = 7;

/** Keeps it for comparing what was announced with what was seen to change. */
export async function recordReceivedEvent(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { subscription_id, event, new_status }: ReceivedEvent,
): Promise<void> {
  await db.query(
    `with heard as (
       update mirror set events_since = clock_timestamp()
        where seller_id = $1 and mode = $2 and is_on and events_since is null
     ), old as (
       delete from mirror_event where seller_id = $1 and mode = $2
         and (received_at < now() - interval '${DAYS_KEPT} days'
           or id <= (select id from mirror_event where seller_id = $1 and mode = $2
                      order by id desc offset ${MOST_KEPT - 1} limit 1))
     )
     insert into mirror_event (seller_id, mode, event, subscription_id, new_status)
     select $1, $2, $3, $4, $5 from mirror where seller_id = $1 and mode = $2 and is_on`,
    [seller_id, mode, event, subscription_id, new_status],
  );
}
