import "server-only";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { inTransaction, singleRow, type Database } from "#lib/db/pool.ts";
import { enqueueRefresh, lockIndex } from "#lib/search-index/sync/refresh-queue.ts";
import { AppError, invalidInput } from "#lib/failure.ts";
import { isAfterCursorSql, momentCursorSql } from "#lib/format/moment-place.ts";
import { YEAR_9999, type SignatureCheck, type SignatureScheme } from "#lib/signature.ts";
import { type ClassifiedDelivery, StoredScheme } from "./classify.ts";
import type {
  ReceivedDeliveryDetails,
  ReceivedRow,
  ReceivedSearch,
  ReceiverState,
} from "./queries.ts";
import {
  receiverUrl,
  type DeliveryPayload,
  type VerdictReason,
  type ReceivedVerdict,
} from "./rules.ts";

const LARGEST_KEPT = 20_000;

export interface DeliveryToStore extends ClassifiedDelivery {
  check: Pick<SignatureCheck, "signed_at">;
  scheme: Pick<SignatureScheme, "signs">;
  headers: Record<string, string>;
  /** Whether too many unverified deliveries arrive; then repeated ones are not stored. */
  is_flooded: boolean;
  /** The original time of a delivery that is checked again. */
  received_at?: string;
}

export interface StoredDelivery {
  id: string;
  verdict: ReceivedVerdict;
  reason: VerdictReason | null;
}

const COLUMNS = `(seller_id, mode, delivery_id, signed_at, headers, body, event, subscription_id,
  old_status, new_status, received_at, verdict, reason)`;
const VALUES = `$1, $2, $3, to_timestamp($4::float8), $5, $6, $7, $8, $9, $10,
  coalesce($11, clock_timestamp())`;

/**
 * SQL that stores a verified delivery. At commit it notifies open pages of a new one; an example
 * has no event.
 */
const KEEP_VERIFIED = `
  with fresh as (
    insert into received_delivery ${COLUMNS}
    select ${VALUES}, $12, $13
     where not exists (select 1 from received_delivery where seller_id = $1 and mode = $2
                         and verdict = 'verified' and delivery_id = $14)
    on conflict (seller_id, mode, delivery_id) where verdict = 'verified' do nothing
    returning id, reason
  ), again as (
    insert into received_delivery ${COLUMNS} select ${VALUES}, 'repeated', $16
     where $15 and not exists (select 1 from fresh) returning id, reason
  )
  select id, 'verified' as verdict, reason,
         notify_live($1, $2, 'delivery', array_remove(array[$8], null),
           jsonb_build_object('delivery', id::text,
             'event', case when $13 = 'example' then null else $7::text end)) as number
    from fresh
  union all select id, 'repeated', reason, null from again`;

/**
 * SQL that stores an unverified delivery; a late copy of a verified delivery counts as a replay.
 */
const KEEP_OTHER = `
  insert into received_delivery ${COLUMNS}
  select ${VALUES}, $12, case when $12 = 'late' and exists (
           select 1 from received_delivery where seller_id = $1 and mode = $2
              and delivery_id in ($3, $14) and verdict = 'verified') then 'replayed' else $13 end
  returning id, verdict, reason`;

/**
 * Stores the delivery and queues the refresh in one transaction, so that the sender retries if
 * either fails.
 * @returns null for a repeated delivery that is not stored
 */
export function storeDelivery(
  pool: pg.Pool,
  owner: KeyOwner,
  delivery: DeliveryToStore,
): Promise<StoredDelivery | null> {
  return inTransaction(pool, (client) => storeInTransaction(client, owner, delivery));
}

/** Like storeDelivery, inside the caller's transaction. */
export async function storeInTransaction(
  client: Database,
  owner: KeyOwner,
  delivery: DeliveryToStore,
): Promise<StoredDelivery | null> {
  await lockIndex(client, owner);
  const stored = await store(client, owner, delivery);
  if (stored) await queueRefresh(client, owner, stored.verdict, delivery.payload);
  return stored;
}

async function store(
  db: Database,
  { seller_id, mode }: KeyOwner,
  delivery: DeliveryToStore,
): Promise<StoredDelivery | null> {
  const { verdict, reason, payload, delivery_id, earlier_id, text, check, headers } = delivery;
  const isVerified = verdict === "verified";
  // A recheck stores no repetitions.
  const keepsAgain = !delivery.is_flooded && delivery.received_at === undefined;
  const { rows } = await db.query<StoredDelivery>(isVerified ? KEEP_VERIFIED : KEEP_OTHER, [
    seller_id,
    mode,
    delivery_id,
    momentOf(check),
    JSON.stringify(headers),
    isBodyStored(text) ? text : null,
    payload?.event ?? null,
    payload?.subscription_id ?? null,
    payload?.old_status ?? null,
    payload?.new_status ?? null,
    delivery.received_at ?? null,
    verdict,
    reason,
    earlier_id,
    ...(isVerified ? [keepsAgain, repetitionOf(delivery)] : []),
  ]);
  if (isVerified && !keepsAgain && rows.length === 0) return null;
  return singleRow(rows);
}

/** Whether the body is stored, so that it can be checked again. */
export const isBodyStored = (text: string | null): boolean =>
  text !== null && text.length <= LARGEST_KEPT;

/**
 * The reason stored for a repeated delivery. Without a signed id, a second payment looks like a
 * copy of the first.
 */
const repetitionOf = ({ scheme, delivery_id }: DeliveryToStore): VerdictReason =>
  scheme.signs === "body" && delivery_id?.startsWith("sha256:") ? "same_body" : "seen_before";

/** The signed time in seconds; null after the year 9999. */
const momentOf = ({ signed_at }: DeliveryToStore["check"]) =>
  signed_at === null || signed_at > YEAR_9999 ? null : signed_at / 1_000;

/**
 * Queues the subscription for a refresh. This is safe for any sender: it only reads the record
 * again.
 */
async function queueRefresh(
  db: Database,
  owner: KeyOwner,
  verdict: ReceivedVerdict,
  payload: DeliveryPayload | null,
) {
  const id = payload?.subscription_id;
  // Examples name no real subscription.
  if (!payload || id == null || (payload.is_example && verdict === "verified")) return;
  await enqueueRefresh(db, owner, "subscriptions", [id]);
}

const PAGE = 25;
const DAYS_COUNTED = 30;

interface Row extends Omit<ReceiverState, "url" | "scheme" | "next" | "latest"> {
  latest: (ReceivedRow & { place: string })[];
  token: string | null;
  scheme: unknown;
}

/** Received deliveries outlive the connection, while the URL ends with it. */
export async function readReceiver(
  db: Database,
  { seller_id, mode }: KeyOwner,
  baseUrl: string,
  { before }: ReceivedSearch = { before: null },
): Promise<ReceiverState> {
  // Each subquery uses its own index: the table grows, and pages poll every few seconds.
  const { rows } = await db.query<Row>(
    `select r.token, r.scheme, r.registered_at, coalesce(r.missing, '{}') as missing,
            coalesce(r.registrations <> '{}', false) as was_registered,
            (select coalesce(json_agg(json_build_object('id', id::text, 'webhook_id', webhook_id,
                      'event', event, 'added_at', added_at, 'ends_at', ends_at) order by id), '[]')
               from receiver_secret where seller_id = $1 and mode = $2
                and (ends_at is null or ends_at > now())) as secrets,
            (select coalesce(json_object_agg(verdict, count), '{}')
               from (select verdict, count(*) from received_delivery
                      where seller_id = $1 and mode = $2
                        and received_at > now() - interval '${DAYS_COUNTED} days'
                      group by verdict) c) as counts,
            (select received_at from received_delivery
              where seller_id = $1 and mode = $2 and verdict = 'verified'
              order by received_at desc limit 1) as last_verified_at,
            (select coalesce(json_agg(l), '[]') from
              (select id::text, delivery_id, received_at, verdict, reason, event,
                      subscription_id, body is not null as has_body,
                      ${momentCursorSql("received_at", "id")} as place
                 from received_delivery
                where seller_id = $1 and mode = $2
                  ${before === null ? "" : `and ${isAfterCursorSql("received_at", "id", "$3")}`}
                order by received_delivery.received_at desc, received_delivery.id desc
                limit ${PAGE + 1}) l) as latest
       from (select $1::uuid as seller_id, $2::text as mode) o
       left join receiver r on r.seller_id = o.seller_id and r.mode = o.mode`,
    [seller_id, mode, ...(before === null ? [] : [before])],
  );
  const { token, scheme, latest, ...state } = singleRow(rows);
  return {
    ...state,
    url: token && receiverUrl(token, baseUrl),
    scheme: StoredScheme.safeParse(scheme).data ?? null,
    latest: latest.slice(0, PAGE),
    next: latest.length > PAGE ? (latest[PAGE - 1]?.place ?? null) : null,
  };
}

/** @throws AppError `validation` for a malformed id, `not_found` also if the body was not stored */
export async function readReceivedDelivery(
  db: Database,
  { seller_id, mode }: KeyOwner,
  id: string,
): Promise<ReceivedDeliveryDetails> {
  if (!/^[1-9]\d{0,17}$/.test(id)) throw invalidInput();
  const { rows } = await db.query<
    Omit<ReceivedDeliveryDetails, "received_at"> & { received_at: Date }
  >(
    `select id::text, headers, body, received_at from received_delivery
      where seller_id = $1 and mode = $2 and id = $3::bigint and body is not null`,
    [seller_id, mode, id],
  );
  const [row] = rows;
  if (!row) throw new AppError({ kind: "not_found" });
  return { ...row, received_at: row.received_at.toISOString() };
}
