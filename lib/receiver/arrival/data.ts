import "server-only";
import { createHash } from "node:crypto";
import type { EncryptionKeys, KeyOwner } from "#lib/billing/api-key.ts";
import { openSecrets, type SealedSecret } from "#lib/billing/receiver-secrets.ts";
import { only, type Database } from "#lib/db/pool.ts";
import { keepEvent } from "#lib/mirror/events.ts";
import { leaveHints } from "#lib/mirror/hints.ts";
import { checkSignature, type SignatureCheck, type SignatureScheme } from "#lib/signature.ts";
import { observer } from "#lib/trace/observer.ts";
import {
  readTold,
  signedIdOf,
  verdictOf,
  type Reason,
  type Told,
  type Verdict,
} from "../rules.ts";
import { schemeOf } from "../scheme/rules.ts";

export const LARGEST_BODY = 100_000;
const LARGEST_KEPT = 20_000;
const LONGEST_HEADER = 500;
/** Of those that prove nothing: what one address takes in a minute, and what is kept of them. */
export const MOST_UNPROVEN = 300;
const MOST_KEPT = 2_000;
export const DAYS_KEPT = 30;
const FORGET_EVERY = 20;

interface Receiver extends KeyOwner {
  scheme: unknown;
  secrets: { sealed_secret: string; key_id: string }[];
  is_flooded: boolean;
}

/** What is answered: an HTTP status, and why. */
export interface Arrival {
  status: 204 | 400 | 401 | 404 | 413 | 429;
  reason: Reason | "unknown_address" | "too_many" | "cut_off" | null;
}

interface Clock {
  keys: EncryptionKeys;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Takes in whatever comes to a receiver's address: it is verified, kept with what became of it, and the
 * record that it names is read again through the API, whatever it says of it.
 */
export async function receiveDelivery(
  db: Database,
  token: string,
  request: Pick<Request, "body" | "headers">,
  { keys, now }: Clock,
): Promise<Arrival> {
  const receiver = await findReceiver(db, token);
  if (!receiver) return { status: 404, reason: "unknown_address" };
  const owner = { seller_id: receiver.seller_id, mode: receiver.mode };
  const bytes = await readBytes(request).catch(() => undefined);
  if (bytes === undefined) return { status: 400, reason: "cut_off" };
  const scheme = schemeOf(receiver.scheme);
  const headers = Object.fromEntries(request.headers);
  const check = await checkSignature(
    { headers, body: bytes ?? "" },
    openSecrets(receiver.secrets.map(sealedOf), owner, keys),
    now,
    scheme,
  );
  const judged = judge(bytes, check, scheme);
  // What proves something is never turned away.
  if (receiver.is_flooded && judged.verdict !== "verified")
    return { status: 429, reason: "too_many" };
  const kept = await keep(db, owner, {
    ...judged,
    check,
    headers: relevantHeaders(headers, scheme),
    is_flooded: receiver.is_flooded,
  });
  if (!kept) return { status: 429, reason: "too_many" };
  observer()?.received(kept.verdict);
  await tellCopy(db, owner, kept.verdict, judged.told);
  if (Number(kept.id) % FORGET_EVERY === 0) await forgetOld(db, owner);
  return { status: statusOf(kept), reason: kept.reason };
}

async function findReceiver(db: Database, token: string): Promise<Receiver | undefined> {
  if (!/^[0-9a-f]{64}$/.test(token)) return undefined;
  const { rows } = await db.query<Receiver>(
    `select seller_id, mode, scheme,
            (select coalesce(json_agg(json_build_object(
                      'sealed_secret', encode(sealed_secret, 'base64'), 'key_id', key_id)
                      order by s.id desc), '[]')
               from receiver_secret s where s.seller_id = r.seller_id and s.mode = r.mode
                and (ends_at is null or ends_at > now())) as secrets,
            coalesce((select received_at > now() - interval '1 minute' from received_delivery d
               where d.seller_id = r.seller_id and d.mode = r.mode and verdict <> 'verified'
               order by id desc offset ${MOST_UNPROVEN - 1} limit 1), false) as is_flooded
       from receiver r where token = $1`,
    [token],
  );
  return rows[0];
}

const sealedOf = ({ sealed_secret, key_id }: Receiver["secrets"][number]): SealedSecret => ({
  sealed_secret: Buffer.from(sealed_secret, "base64"),
  key_id,
});

/** Byte for byte, as it was signed; null when it is too long. */
async function readBytes({
  body,
}: Pick<Request, "body">): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > LARGEST_BODY) return null;
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

interface Judged {
  verdict: Verdict;
  reason: Reason | null;
  /** Null where the body cannot be read. */
  told: Told | null;
  delivery_id: string | null;
  text: string | null;
}

function judge(
  bytes: Uint8Array<ArrayBuffer> | null,
  check: SignatureCheck,
  scheme: SignatureScheme,
): Judged {
  if (!bytes)
    return {
      verdict: "unreadable",
      reason: "too_large",
      told: null,
      delivery_id: null,
      text: null,
    };
  const text = textOf(bytes);
  const json = parse(text);
  const told = readTold(json);
  const verdict = verdictOf(check);
  const delivery_id = check.is_authentic ? idOf(scheme, check, { json, bytes }) : null;
  if (!told && (verdict === "verified" || verdict === "unverified"))
    return { verdict: "unreadable", reason: "not_json", told, delivery_id, text };
  return { verdict, reason: check.problem, told, delivery_id, text };
}

/** Null where PostgreSQL could not keep it as it is. */
function textOf(bytes: Uint8Array): string | null {
  try {
    // The mark of byte order belongs to what was signed.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text?.replace(/^\uFEFF/, "") ?? "");
  } catch {
    return undefined;
  }
}

const LONGEST_ID = 200;

function idOf(
  scheme: SignatureScheme,
  check: SignatureCheck,
  { json, bytes }: { json: unknown; bytes: Uint8Array },
): string {
  const id = signedIdOf(scheme, check, json);
  if (id !== null && id.length <= LONGEST_ID) return id;
  // A body that is the same byte for byte is taken for the same delivery.
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** What the signature is about, and who sent it; nothing that a proxy put there. */
function relevantHeaders(headers: Record<string, string>, scheme: SignatureScheme) {
  const names = ["content-type", "user-agent", ...Object.values(scheme.headers)];
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => names.includes(name) || name.startsWith("webhook-"))
      .map(([name, value]) => [name, value.slice(0, LONGEST_HEADER)]),
  );
}

interface Keeping extends Judged {
  check: SignatureCheck;
  headers: Record<string, string>;
  is_flooded: boolean;
}

interface Kept {
  id: string;
  verdict: Verdict;
  reason: Reason | null;
}

const COLUMNS = `(seller_id, mode, delivery_id, signed_at, headers, body, event, subscription_id,
  old_status, new_status, verdict, reason)`;
const VALUES = "$1, $2, $3, to_timestamp($4::float8), $5, $6, $7, $8, $9, $10";

/** Told to every dashboard at the commit, and only what is verified and new. */
const KEEP_VERIFIED = `
  with fresh as (
    insert into received_delivery ${COLUMNS} values (${VALUES}, $11, $12)
    on conflict (seller_id, mode, delivery_id) where verdict = 'verified' do nothing
    returning id
  ), again as (
    insert into received_delivery ${COLUMNS} select ${VALUES}, 'repeated', 'seen_before'
     where not $13 and not exists (select 1 from fresh) returning id
  )
  select id, 'verified' as verdict, null as reason,
         notify_live($1, $2, 'delivery', array_remove(array[$8], null),
           jsonb_build_object('delivery', id::text, 'event', $7::text)) as number
    from fresh
  union all select id, 'repeated', 'seen_before', null from again`;

/** One that came in time already, and comes again too late, is a copy that somebody sends. */
const KEEP_OTHER = `
  insert into received_delivery ${COLUMNS}
  select ${VALUES}, $11, case when $11 = 'late' and exists (
           select 1 from received_delivery where seller_id = $1 and mode = $2
              and delivery_id = $3 and verdict = 'verified') then 'replayed' else $12 end
  returning id, verdict, reason`;

/** @returns null when so many prove nothing that a repeated one is not kept either */
async function keep(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { verdict, reason, told, delivery_id, text, check, headers, is_flooded }: Keeping,
): Promise<Kept | null> {
  const isVerified = verdict === "verified";
  const { rows } = await db.query<Kept>(isVerified ? KEEP_VERIFIED : KEEP_OTHER, [
    seller_id,
    mode,
    delivery_id,
    momentOf(check),
    JSON.stringify(headers),
    text !== null && text.length <= LARGEST_KEPT ? text : null,
    told?.event ?? null,
    told?.subscription_id ?? null,
    told?.old_status ?? null,
    told?.new_status ?? null,
    verdict,
    reason,
    ...(isVerified ? [is_flooded] : []),
  ]);
  if (isVerified && is_flooded && rows.length === 0) return null;
  return only(rows);
}

const YEAR_9999 = 253_402_300_799_000;

/** Seconds; null for a moment that no calendar has. */
const momentOf = ({ signed_at }: SignatureCheck) =>
  signed_at === null || signed_at > YEAR_9999 ? null : signed_at / 1_000;

function statusOf({ verdict, reason }: Kept): Arrival["status"] {
  if (verdict === "late" || verdict === "forged") return 401;
  if (verdict === "unreadable") return reason === "too_large" ? 413 : 400;
  return 204;
}

/** Whoever sent it, reading a record again does no harm; what it said is only for comparing. */
async function tellCopy(db: Database, owner: KeyOwner, verdict: Verdict, told: Told | null) {
  const id = told?.subscription_id;
  if (!told || id == null) return;
  await leaveHints(db, owner, "subscriptions", [id]);
  if (verdict === "verified" || verdict === "unverified")
    await keepEvent(db, owner, { ...told, subscription_id: id });
}

/** Payments that were verified stay; everything else goes after a while, or when it is too much. */
async function forgetOld(db: Database, { seller_id, mode }: KeyOwner): Promise<void> {
  await db.query(
    `delete from received_delivery where seller_id = $1 and mode = $2
        and (verdict <> 'verified' or event is distinct from 'checkout.succeeded')
        and received_at < now() - interval '${DAYS_KEPT} days'`,
    [seller_id, mode],
  );
  await db.query(
    `delete from received_delivery where seller_id = $1 and mode = $2 and verdict <> 'verified'
        and id <= (select id from received_delivery
                    where seller_id = $1 and mode = $2 and verdict <> 'verified'
                    order by id desc offset ${MOST_KEPT} limit 1)`,
    [seller_id, mode],
  );
}
