import "server-only";
import { queryValue } from "#contract/process/database.ts";
import type pg from "pg";
import { SPECIFIED_EVENTS } from "#contract/names.ts";
import type { Webhook } from "#contract/webhooks.ts";
import type { EncryptionKeys, KeyOwner } from "#lib/crypto/api-key.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { AppError, failureOf, type Failure } from "#lib/failure.ts";
import { REMOVED_SECRET_DAYS } from "#lib/billing/receiver-endpoints.ts";
import { addSecret } from "#lib/billing/receiver-secrets.ts";
import { registerEndpointOnce } from "#lib/billing/webhook-endpoints.ts";
import { leaseSql } from "#lib/db/lease.ts";
import { inTransaction, type Database } from "#lib/db/pool.ts";
import { message } from "#lib/i18n/message.ts";
import type { RegisterResult } from "./queries.ts";
import { receiverUrl } from "./rules.ts";
import { DeliveryClient, sendIfSupported } from "#lib/billing/delivery-client.ts";

export interface RegisterContext {
  billing: BillingClient;
  keys: EncryptionKeys;
  baseUrl: string;
}

/** The lease of a registration, longer than all its calls can take. */
export const RECEIVER_LEASE = leaseSql(300, { claim: null, until: "busy_until" });

/**
 * Registers the receiver for every kind of event and stores the secrets. Existing endpoints are
 * reused, so pressing twice creates nothing twice.
 * @throws AppError `not_connected`, `conflict` while another registration runs, or a failure of the
 * service
 */
export async function registerEndpoint(
  pool: pg.Pool,
  owner: KeyOwner,
  context: RegisterContext,
): Promise<RegisterResult> {
  const receiver = await acquireReceiver(pool, owner);
  try {
    const endpoint_url = receiverUrl(receiver.token, context.baseUrl);
    const done: RegisterResult = { verified: [], without_secret: [], refused: [] };
    for (const event of SPECIFIED_EVENTS) {
      const before = receiver.registrations[event] ?? null;
      const registering = { ...context, event, endpoint_url, before };
      try {
        const isKnown = await registerEvent(pool, owner, registering);
        done[isKnown ? "verified" : "without_secret"].push(event);
      } catch (error) {
        const isLast = done.refused.length === SPECIFIED_EVENTS.length - 1;
        if (isLast || !isOfEvent(failureOf(error))) throw error;
        done.refused.push(event);
      }
    }
    await finish(pool, owner, done.refused);
    return done;
  } finally {
    await pool
      .query(
        `update receiver set ${RECEIVER_LEASE.release}
          where seller_id = $1 and mode = $2 and ${RECEIVER_LEASE.isHeldBy("$3::timestamptz")}`,
        [owner.seller_id, owner.mode, receiver.busy_until],
      )
      .catch(() => {});
  }
}

/** Whether the service refused one kind of event; any other failure would repeat for each kind. */
const isOfEvent = ({ kind }: Failure) => kind === "validation" || kind === "conflict";

/**
 * Stores the result of the registration. Secrets of replaced endpoints stay valid for deliveries
 * already on their way, and then end.
 */
async function finish(
  db: Database,
  { seller_id, mode }: KeyOwner,
  missing: string[],
): Promise<void> {
  await db.query(
    `with done as (
       update receiver set missing = $3,
              registered_at = case when cardinality($3::text[]) = 0 then now() end
        where seller_id = $1 and mode = $2
       returning seller_id, mode, registrations
     )
     update receiver_secret s set ends_at = now() + interval '${REMOVED_SECRET_DAYS} days'
       from done
      where s.seller_id = done.seller_id and s.mode = done.mode and ends_at is null
        and webhook_id is not null and registrations ? s.event
        and (registrations ->> s.event)::bigint <> webhook_id`,
    [seller_id, mode, missing],
  );
}

interface LeasedReceiver {
  token: string;
  registrations: Record<string, number>;
  /** The end of the lease, which identifies its holder. */
  busy_until: string;
}

/**
 * Acquires the lease. It is a column, so no database connection is held during calls to the
 * service.
 */
async function acquireReceiver(db: Database, owner: KeyOwner): Promise<LeasedReceiver> {
  const { rows } = await db.query<LeasedReceiver>(
    `update receiver r set ${RECEIVER_LEASE.acquire}
      where seller_id = $1 and mode = $2 and ${RECEIVER_LEASE.isFree("r")}
      returning token, registrations, busy_until::text`,
    [owner.seller_id, owner.mode],
  );
  return rows[0] ?? Promise.reject(await unavailableError(db, owner));
}

async function unavailableError(db: Database, { seller_id, mode }: KeyOwner) {
  const { rows } = await db.query("select 1 from receiver where seller_id = $1 and mode = $2", [
    seller_id,
    mode,
  ]);
  return new AppError(
    rows.length > 0
      ? { kind: "conflict", detail: message("receiver.underWay") }
      : { kind: "not_connected" },
  );
}

/**
 * Gives the receiver a new URL and removes its secrets, in case the old URL leaked.
 * @throws AppError `not_connected`, or `conflict` while a registration runs
 */
export async function renewReceiver(pool: pg.Pool, owner: KeyOwner): Promise<void> {
  const { seller_id, mode } = owner;
  const isDone = await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update receiver r set registered_at = null, registrations = '{}', missing = '{}',
              token = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
        where seller_id = $1 and mode = $2 and ${RECEIVER_LEASE.isFree("r")}`,
      [seller_id, mode],
    );
    if (rowCount === 0) return false;
    await client.query("delete from receiver_secret where seller_id = $1 and mode = $2", [
      seller_id,
      mode,
    ]);
    return true;
  });
  if (!isDone) throw await unavailableError(pool, owner);
}

/** The id of the endpoint that sends an event here; null if unknown. */
export const endpointIdOf = (db: Database, { seller_id, mode }: KeyOwner, event: string) =>
  queryValue<number>(
    db,
    `select (registrations ->> $3)::float8 as id from receiver
      where seller_id = $1 and mode = $2`,
    [seller_id, mode, event],
  );

interface EventToRegister extends RegisterContext {
  event: string;
  endpoint_url: string;
  /** The id of the event's earlier endpoint; null if unknown. */
  before: number | null;
}

/** @returns whether its deliveries can be verified */
async function registerEvent(
  pool: pg.Pool,
  owner: KeyOwner,
  { billing, keys, event, endpoint_url, before }: EventToRegister,
): Promise<boolean> {
  const { webhook, secret } = await registerEndpointOnce(
    billing,
    { event, endpoint_url },
    before,
  );
  // Saved at once, like the secret, because a service without a list never shows the id again.
  await remember(pool, owner, { event, id: webhook.id });
  const keep = (text: string) =>
    addSecret(pool, owner, { secret: text, webhook_id: webhook.id, event }, keys);
  const isKept = secret !== null && (await keep(secret));
  if (!webhook.is_active)
    await billing.updateWebhook(webhook.id, { event, endpoint_url, is_active: true });
  if (secret !== null) return isKept;
  if (await hasSecretOf(pool, owner, webhook)) return true;
  // The service shows a secret only once, so it has to be rotated; only this receiver uses it.
  const rotated = await sendIfSupported(billing, () =>
    new DeliveryClient(billing).rotateSecret(webhook.id),
  );
  const shown = rotated?.secret ?? null;
  return shown !== null && keep(shown);
}

async function remember(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { event, id }: { event: string; id: number },
): Promise<void> {
  await db.query(
    `update receiver set registrations = registrations || jsonb_build_object($3::text, $4::bigint)
      where seller_id = $1 and mode = $2`,
    [seller_id, mode, event, id],
  );
}

async function hasSecretOf(db: Database, owner: KeyOwner, { id }: Webhook): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from receiver_secret where seller_id = $1 and mode = $2 and webhook_id = $3
        and ends_at is null`,
    [owner.seller_id, owner.mode, id],
  );
  return rows.length > 0;
}
