import "server-only";
import type pg from "pg";
import type { EncryptionKeys, KeyOwner } from "#lib/crypto/api-key.ts";
import { openSecrets } from "#lib/billing/receiver-secrets.ts";
import { logFault } from "#lib/log.ts";
import type { Database } from "#lib/db/pool.ts";
import { checkSignature } from "#lib/signature.ts";
import { getObserver } from "#lib/trace.ts";
import {
  checkableHeaders,
  type ClassifiedDelivery,
  classifyDelivery,
  relevantHeaders,
  readStoredScheme,
} from "./classify.ts";
import { isBodyStored, storeDelivery, type StoredDelivery } from "./store.ts";
import {
  isRecheckable,
  recheckStored,
  sealedSecretOf,
  VALID_SECRETS_SQL,
  type ListedSecret,
} from "./recheck.ts";
import type { VerdictReason } from "./rules.ts";

export const MAX_BODY_LENGTH = 100_000;
/** The most unverified deliveries that one URL accepts per minute, and the most that are stored. */
export const MAX_UNVERIFIED = 300;
const MOST_KEPT = 2_000;
const RETENTION_DAYS = 30;
const FORGET_EVERY = 20;
/**
 * The most deliveries of each kind that one call deletes, far more than arrive between two calls.
 */
const FORGOTTEN_AT_ONCE = 1_000;

interface Receiver extends KeyOwner {
  scheme: unknown;
  secrets: ListedSecret[];
  is_flooded: boolean;
  /** Whether a secret was added after the last check of stored deliveries. */
  is_recheck_wanted: boolean;
}

export interface ReceiverAnswer {
  status: 204 | 400 | 401 | 404 | 413 | 429 | 503;
  reason: VerdictReason | "unknown_address" | "too_many" | "cut_off" | null;
}

interface Clock {
  keys: EncryptionKeys;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Receives a delivery: verifies it, stores it with its verdict, and queues its subscription for a
 * refresh from the API, whatever the body claims.
 */
export async function receiveDelivery(
  pool: pg.Pool,
  token: string,
  request: Pick<Request, "body" | "headers">,
  { keys, now }: Clock,
): Promise<ReceiverAnswer> {
  const receiver = await findReceiver(pool, token);
  if (!receiver) return { status: 404, reason: "unknown_address" };
  const { seller_id, mode, is_flooded } = receiver;
  const owner = { seller_id, mode };
  const bytes = await readBytes(request).catch(() => undefined);
  if (bytes === undefined) return { status: 400, reason: "cut_off" };
  const scheme = readStoredScheme(receiver.scheme);
  const headers = Object.fromEntries(request.headers);
  const secrets = openSecrets(receiver.secrets.map(sealedSecretOf), owner, keys);
  const check = await checkSignature({ headers, body: bytes ?? "" }, secrets, now, scheme);
  const classified = classifyDelivery(bytes, check, scheme);
  // A verified delivery is rejected only if it is a repetition.
  if (is_flooded && classified.verdict !== "verified")
    return { status: 429, reason: "too_many" };
  // Rechecks earlier deliveries first, to keep their order; a failure here does not lose the new
  // delivery.
  if (receiver.is_recheck_wanted)
    await recheckStored(pool, owner, keys).catch((error: unknown) =>
      logFault("receiver: stored deliveries were not rechecked", error),
    );
  const headersOf = isRecheckable(classified) ? checkableHeaders : relevantHeaders;
  const stored = await storeDelivery(pool, owner, {
    ...classified,
    check,
    scheme,
    headers: headersOf(headers, scheme),
    is_flooded,
  });
  if (!stored) return { status: 429, reason: "too_many" };
  getObserver()?.received(stored.verdict);
  if (Number(stored.id) % FORGET_EVERY === 0) await forgetOld(pool, owner);
  return { status: statusOf(stored, classified, receiver), reason: stored.reason };
}

async function findReceiver(db: Database, token: string): Promise<Receiver | undefined> {
  if (!/^[0-9a-f]{64}$/.test(token)) return undefined;
  const { rows } = await db.query<Receiver>(
    `select seller_id, mode, scheme,
            ${VALID_SECRETS_SQL} as secrets,
            exists (select 1 from receiver_secret s
                     where s.seller_id = r.seller_id and s.mode = r.mode
                       and added_at > coalesce(rechecked_at, '-infinity')) as is_recheck_wanted,
            coalesce((select received_at > now() - interval '1 minute' from received_delivery d
               where d.seller_id = r.seller_id and d.mode = r.mode and verdict <> 'verified'
               order by id desc offset ${MAX_UNVERIFIED - 1} limit 1), false) as is_flooded
       from receiver r where token = $1`,
    [token],
  );
  return rows[0];
}

/** The exact bytes of the body, which were signed; null if there are too many. */
async function readBytes({
  body,
}: Pick<Request, "body">): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > MAX_BODY_LENGTH) return null;
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

/**
 * An unverified delivery is accepted if it can be checked later: its body is stored and waits for a
 * secret. If a secret cannot be opened, or the body is too long to store, the sender should retry.
 */
function statusOf(
  { verdict, reason }: StoredDelivery,
  { text }: Pick<ClassifiedDelivery, "text">,
  { secrets }: Pick<Receiver, "secrets">,
): ReceiverAnswer["status"] {
  if (verdict === "late" || verdict === "forged") return 401;
  if (verdict === "unreadable") return reason === "too_large" ? 413 : 400;
  if (verdict === "unverified" && (secrets.length > 0 || !isBodyStored(text))) return 503;
  return 204;
}

/** Deletes old and surplus deliveries, some at a time; verified payments stay. */
async function forgetOld(db: Database, { seller_id, mode }: KeyOwner): Promise<void> {
  await db.query(
    `delete from received_delivery where seller_id = $1 and mode = $2 and id = any (array(
       select id from received_delivery
        where seller_id = $1 and mode = $2
          and (verdict <> 'verified' or event is distinct from 'checkout.succeeded')
          and received_at < now() - interval '${RETENTION_DAYS} days'
        order by received_at limit ${FORGOTTEN_AT_ONCE}))`,
    [seller_id, mode],
  );
  await db.query(
    `delete from received_delivery where seller_id = $1 and mode = $2 and id = any (array(
       select id from received_delivery
        where seller_id = $1 and mode = $2 and verdict <> 'verified'
        order by id desc offset ${MOST_KEPT} limit ${FORGOTTEN_AT_ONCE}))`,
    [seller_id, mode],
  );
}
