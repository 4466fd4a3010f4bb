import "server-only";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { inTransaction, only, type Database } from "#lib/db/pool.ts";
import { enqueueRefresh } from "#lib/search-index/sync/refresh-queue.ts";
import type { SignatureCheck, SignatureScheme } from "#lib/signature.ts";
import type { Judged } from "./classify.ts";
import type { Reason, Told, Verdict } from "./rules.ts";

export const LARGEST_KEPT = 20_000;

/** What is to be kept of a delivery. */
export interface Keeping extends Judged {
  check: Pick<SignatureCheck, "signed_at">;
  scheme: Pick<SignatureScheme, "signs">;
  headers: Record<string, string>;
  /** So much came that proves nothing that a repeated one is not kept either. */
  is_flooded: boolean;
  /** When it came, where that was before. */
  received_at?: string;
}

export interface Kept {
  id: string;
  verdict: Verdict;
  reason: Reason | null;
}

const COLUMNS = `(seller_id, mode, delivery_id, signed_at, headers, body, event, subscription_id,
  old_status, new_status, received_at, verdict, reason)`;
const VALUES = `$1, $2, $3, to_timestamp($4::float8), $5, $6, $7, $8, $9, $10,
  coalesce($11, clock_timestamp())`;

/** Told to every dashboard at the commit, and only what is verified and new; an example is no event. */
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

/** One that came in time already, and comes again too late, is a copy that somebody sends. */
const KEEP_OTHER = `
  insert into received_delivery ${COLUMNS}
  select ${VALUES}, $12, case when $12 = 'late' and exists (
           select 1 from received_delivery where seller_id = $1 and mode = $2
              and delivery_id in ($3, $14) and verdict = 'verified') then 'replayed' else $13 end
  returning id, verdict, reason`;

/**
 * Keeps it and what follows from it, or nothing of both: the sender comes again with what was not kept.
 * @returns null for a repeated one that is not kept
 */
export function keepDelivery(
  pool: pg.Pool,
  owner: KeyOwner,
  keeping: Keeping,
): Promise<Kept | null> {
  return inTransaction(pool, (client) => keepWithin(client, owner, keeping));
}

/** The same in a transaction that is open. */
export async function keepWithin(
  client: Database,
  owner: KeyOwner,
  keeping: Keeping,
): Promise<Kept | null> {
  const kept = await keep(client, owner, keeping);
  if (kept) await queueRefresh(client, owner, kept.verdict, keeping.told);
  return kept;
}

async function keep(
  db: Database,
  { seller_id, mode }: KeyOwner,
  keeping: Keeping,
): Promise<Kept | null> {
  const { verdict, reason, told, delivery_id, earlier_id, text, check, headers } = keeping;
  const isVerified = verdict === "verified";
  // What came before is looked through once more: what is there already is there.
  const keepsAgain = !keeping.is_flooded && keeping.received_at === undefined;
  const { rows } = await db.query<Kept>(isVerified ? KEEP_VERIFIED : KEEP_OTHER, [
    seller_id,
    mode,
    delivery_id,
    momentOf(check),
    JSON.stringify(headers),
    isWhole(text) ? text : null,
    told?.event ?? null,
    told?.subscription_id ?? null,
    told?.old_status ?? null,
    told?.new_status ?? null,
    keeping.received_at ?? null,
    verdict,
    reason,
    earlier_id,
    ...(isVerified ? [keepsAgain, repetitionOf(keeping)] : []),
  ]);
  if (isVerified && !keepsAgain && rows.length === 0) return null;
  return only(rows);
}

/** Whether the body is kept, so that it can be checked again. */
export const isWhole = (text: string | null): boolean =>
  text !== null && text.length <= LARGEST_KEPT;

/** Where nothing that is signed tells two apart, a payment may look like a copy of another. */
const repetitionOf = ({ scheme, delivery_id }: Keeping): Reason =>
  scheme.signs === "body" && delivery_id?.startsWith("sha256:") ? "same_body" : "seen_before";

const YEAR_9999 = 253_402_300_799_000;

/** Seconds; null for a moment that no calendar has. */
const momentOf = ({ signed_at }: Keeping["check"]) =>
  signed_at === null || signed_at > YEAR_9999 ? null : signed_at / 1_000;

/** Queues the record for a refresh: whoever sent the delivery, reading a record again does no harm. */
async function queueRefresh(
  db: Database,
  owner: KeyOwner,
  verdict: Verdict,
  told: Told | null,
) {
  const id = told?.subscription_id;
  // No subscription has the id of an example.
  if (!told || id == null || (told.is_example && verdict === "verified")) return;
  await enqueueRefresh(db, owner, "subscriptions", [id]);
}
