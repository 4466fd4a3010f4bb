import "server-only";
import { EVENT_KINDS } from "#contract/events.ts";
import { readClock, type Database } from "#lib/db/pool.ts";
import type { KeyOwner } from "./api-key.ts";
import type { BillingClient } from "./client.ts";
import { readRegistrations } from "./registrations.ts";

/** A secret of a registration that is gone opens what it sent on its way for so long. */
export const DAYS_AFTER = 2;

/**
 * Looks whether the receiver is still registered after the service went back to another state: its
 * registrations may be gone, or there again.
 * @returns false where it was registered and is no more; where nobody can say, it is taken to be
 */
export async function lookAtRegistrations(
  db: Database,
  owner: KeyOwner,
  billing: BillingClient,
): Promise<boolean> {
  return look(db, owner, billing).catch(() => true);
}

async function look(db: Database, owner: KeyOwner, billing: BillingClient): Promise<boolean> {
  const asked_at = await readClock(db);
  const list = await readRegistrations(billing);
  if (list.absence !== null || !list.is_complete) return true;
  const own = await db.query<{ token: string; was_registered: boolean }>(
    `select token, registrations <> '{}' as was_registered from receiver
      where seller_id = $1 and mode = $2`,
    [owner.seller_id, owner.mode],
  );
  const [receiver] = own.rows;
  if (!receiver) return true;
  const found = list.webhooks.filter(({ endpoint_url }) =>
    endpoint_url.endsWith(`/${receiver.token}`),
  );
  const isWhole = EVENT_KINDS.every((kind) =>
    found.some(({ event, is_active }) => event === kind && is_active),
  );
  const ids = list.webhooks.map(({ id }) => id);
  await noteGone(db, owner, { ids, asked_at });
  if (!receiver.was_registered) return true;
  const { rows } = await db.query<{ is_registered: boolean }>(
    `update receiver set registered_at = case
         when $3 then coalesce(registered_at, now())
         -- Registered since: the list does not know it.
         when registered_at >= $4 then registered_at end
      where seller_id = $1 and mode = $2
      returning registered_at is not null as is_registered`,
    [owner.seller_id, owner.mode, isWhole, asked_at],
  );
  return rows[0]?.is_registered ?? true;
}

interface Listed {
  ids: number[];
  /** By the database's clock: what was registered later may not be among them. */
  asked_at: string;
}

/** Secrets end with their registrations, and come back with them while they still open. */
async function noteGone(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { ids, asked_at }: Listed,
): Promise<void> {
  await db.query(
    `update receiver_secret set ends_at = now() + interval '${DAYS_AFTER} days'
      where seller_id = $1 and mode = $2 and webhook_id is not null and ends_at is null
        and webhook_id <> all($3::bigint[]) and added_at < $4`,
    [seller_id, mode, ids, asked_at],
  );
  await db.query(
    `update receiver_secret s set ends_at = null
      where seller_id = $1 and mode = $2 and webhook_id = any($3::bigint[]) and ends_at > now()
        and id = (select max(id) from receiver_secret n where n.seller_id = s.seller_id
                     and n.mode = s.mode and n.webhook_id = s.webhook_id)`,
    [seller_id, mode, ids],
  );
}
