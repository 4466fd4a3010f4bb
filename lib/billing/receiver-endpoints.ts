import "server-only";
import { SPECIFIED_EVENTS } from "#contract/names.ts";
import type { Webhook } from "#contract/webhooks.ts";
import { readClock, type Database } from "#lib/db/pool.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { BillingClient } from "./client.ts";
import { listEndpoints, type EndpointList } from "./webhook-endpoints.ts";

/** Days for which a removed endpoint's secret stays valid, for deliveries already on their way. */
export const REMOVED_SECRET_DAYS = 2;

/** @returns false if the receiver was registered and no longer is; true if the list cannot be read */
export async function checkEndpoints(
  db: Database,
  owner: KeyOwner,
  billing: BillingClient,
): Promise<boolean> {
  try {
    const asked_at = await readClock(db);
    return await recordEndpoints(db, owner, await listEndpoints(billing), asked_at);
  } catch {
    return true;
  }
}

/**
 * Stores what the service's list says about the receiver.
 * @param asked_at by readClock, before the list was read
 * @returns false if an event of the receiver is missing
 */
export async function recordEndpoints(
  db: Database,
  owner: KeyOwner,
  list: EndpointList,
  asked_at: string,
): Promise<boolean> {
  if (list.absence !== null || !list.is_complete) return true;
  const own = await db.query<{ token: string }>(
    "select token from receiver where seller_id = $1 and mode = $2",
    [owner.seller_id, owner.mode],
  );
  const [receiver] = own.rows;
  if (!receiver) return true;
  const active = list.webhooks.filter(
    ({ endpoint_url, is_active }) => is_active && endpoint_url.endsWith(`/${receiver.token}`),
  );
  const found = Object.fromEntries(
    SPECIFIED_EVENTS.flatMap((kind) => {
      const webhook = active.find(({ event }) => event === kind);
      return webhook ? [[kind, webhook.id] as const] : [];
    }),
  );
  const missing = SPECIFIED_EVENTS.filter((kind) => !(kind in found));
  const ids = list.webhooks.map(({ id }) => id);
  await endRemovedSecrets(db, owner, ids, asked_at);
  const { rowCount } = await db.query(
    `update receiver set missing = $3, registrations = registrations || $4::jsonb,
            registered_at = case when cardinality($3::text[]) = 0 then coalesce(registered_at, now()) end
      where seller_id = $1 and mode = $2 and (registrations <> '{}' or $4::jsonb <> '{}')
        -- Unless the receiver was registered after the list was read.
        and coalesce(registered_at < $5::timestamptz, true)
        -- Unless the URL was renewed since.
        and token = $6`,
    [owner.seller_id, owner.mode, missing, JSON.stringify(found), asked_at, receiver.token],
  );
  return rowCount === 0 || missing.length === 0;
}

/**
 * Records a change of one endpoint: the receiver gets no events of one that is paused or whose URL
 * changed.
 */
export async function recordEndpointChange(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { id, endpoint_url, is_active }: Omit<Webhook, "event" | "created_at">,
): Promise<void> {
  await db.query(
    `update receiver set registered_at = null, missing = array(
         select unnest(missing)
         union select key from jsonb_each_text(registrations) where value = $3::text)
      where seller_id = $1 and mode = $2
        and $3::text in (select value from jsonb_each_text(registrations))
        and not ($5 and right($4, length(token) + 1) = '/' || token)`,
    [seller_id, mode, id, endpoint_url, is_active],
  );
}

/**
 * Ends the secrets of removed endpoints; they become valid again if the endpoint returns in time.
 */
async function endRemovedSecrets(
  db: Database,
  { seller_id, mode }: KeyOwner,
  ids: number[],
  asked_at: string,
): Promise<void> {
  await db.query(
    `update receiver_secret set ends_at = now() + interval '${REMOVED_SECRET_DAYS} days'
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
