import "server-only";
import type { KeyOwner } from "#lib/billing/api-key.ts";
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
export async function keepEvent(
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

/** What is read out of a delivery's body; null where it names no subscription. */
export function readEvent(
  body: unknown,
  isId: (text: string) => boolean,
): ReceivedEvent | null {
  if (typeof body !== "object" || body === null) return null;
  // Beside the event, or one level below, as services send what the event is about.
  const inner: unknown = Reflect.get(body, "data");
  const read = (name: string): unknown => Reflect.get(body, name) ?? nested(inner, name);
  const id = read("subscription_id");
  if (typeof id !== "string" || !isId(id)) return null;
  return {
    subscription_id: id,
    event: shortText(read("event") ?? read("type")),
    new_status: shortText(read("new_status")),
  };
}

const nested = (inner: unknown, name: string): unknown =>
  typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined;

/** Names of events and statuses; anything else is nothing that could be compared. */
const shortText = (value: unknown) =>
  typeof value === "string" && /^[\w.:-]{1,50}$/.test(value) ? value : null;
