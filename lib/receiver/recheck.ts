import "server-only";
import type pg from "pg";
import type { EncryptionKeys, KeyOwner } from "#lib/crypto/api-key.ts";
import { openSecrets, type SealedSecret } from "#lib/billing/receiver-secrets.ts";
import { queryRow, queryRows } from "#contract/process/database.ts";
import { inTransaction, type Database } from "#lib/db/pool.ts";
import { checkSignature, type SignatureScheme } from "#lib/signature.ts";
import {
  type ClassifiedDelivery,
  classifyDelivery,
  relevantHeaders,
  readStoredScheme,
} from "./classify.ts";
import { isBodyStored, storeInTransaction } from "./store.ts";
import type { ReceivedVerdict } from "./rules.ts";

export interface ListedSecret {
  sealed_secret: string;
  key_id: string;
}

/** SQL of the valid secrets of the receiver `r`, newest first. */
export const VALID_SECRETS_SQL = `
  (select coalesce(json_agg(json_build_object(
            'sealed_secret', encode(sealed_secret, 'base64'), 'key_id', key_id)
            order by s.id desc), '[]')
     from receiver_secret s where s.seller_id = r.seller_id and s.mode = r.mode
      and (ends_at is null or ends_at > now()))`;

export const sealedSecretOf = ({ sealed_secret, key_id }: ListedSecret): SealedSecret => ({
  sealed_secret: Buffer.from(sealed_secret, "base64"),
  key_id,
});

// The most deliveries in one transaction, which locks the search index while new deliveries wait.
const STEP = 20;
const CHECKED_AGAIN: ReceivedVerdict[] = ["unverified", "forged"];

/** Whether a new secret or scheme could still verify the delivery. */
export const isRecheckable = ({
  verdict,
  text,
}: Pick<ClassifiedDelivery, "verdict" | "text">): boolean =>
  CHECKED_AGAIN.includes(verdict) && isBodyStored(text);

/**
 * Checks stored deliveries that are unverified or forged again with the current secrets, oldest first:
 * of two deliveries with one id, the first counts. A delivery that proves authentic and was received
 * in time is stored as a new, verified row with its old time; the others stay as they are.
 * @returns how many were verified; 0 while another process checks
 */
export async function recheckStored(
  pool: pg.Pool,
  owner: KeyOwner,
  keys: EncryptionKeys,
): Promise<number> {
  let verified = 0;
  let after: string | null = "0";
  while (after !== null) {
    const from: string = after;
    const step = await inTransaction(pool, (client) => recheckSome(client, owner, keys, from));
    verified += step?.verified ?? 0;
    after = step?.last ?? null;
  }
  return verified;
}

/**
 * @returns how many were verified, and the last delivery that was checked (null if none is left);
 * null while another process checks
 */
async function recheckSome(db: Database, owner: KeyOwner, keys: EncryptionKeys, after: string) {
  const receiver = await queryRow<{ scheme: unknown; secrets: ListedSecret[] }>(
    db,
    `select scheme, ${VALID_SECRETS_SQL} as secrets from receiver r
      where seller_id = $1 and mode = $2 for no key update of r skip locked`,
    [owner.seller_id, owner.mode],
  );
  if (!receiver) return null;
  const scheme = readStoredScheme(receiver.scheme);
  const secrets = openSecrets(receiver.secrets.map(sealedSecretOf), owner, keys);
  const waiting = secrets.length > 0 ? await selectWaiting(db, owner, after) : [];
  let verified = 0;
  for (const delivery of waiting)
    if (await recheck(db, owner, delivery, { scheme, secrets })) verified += 1;
  if (waiting.length === STEP) return { verified, last: waiting.at(-1)?.id ?? null };
  await db.query(
    "update receiver set rechecked_at = now() where seller_id = $1 and mode = $2",
    [owner.seller_id, owner.mode],
  );
  return { verified, last: null };
}

interface Waiting {
  id: string;
  headers: Record<string, string>;
  body: string;
  received_at: string;
  at: number;
}

const selectWaiting = (db: Database, { seller_id, mode }: KeyOwner, after: string) =>
  queryRows<Waiting>(
    db,
    `select id::text, headers, body, received_at::text,
            extract(epoch from received_at)::float8 * 1000 as at
       from received_delivery
      where seller_id = $1 and mode = $2 and verdict <> 'verified'
        and verdict = any($4) and body is not null and id > $3
      order by id limit ${STEP}`,
    [seller_id, mode, after, CHECKED_AGAIN],
  );

async function recheck(
  db: Database,
  owner: KeyOwner,
  { headers, body, received_at, at }: Waiting,
  { scheme, secrets }: { scheme: SignatureScheme; secrets: string[] },
): Promise<boolean> {
  const check = await checkSignature({ headers, body }, secrets, at, scheme);
  const classified = classifyDelivery(new TextEncoder().encode(body), check, scheme);
  if (classified.verdict !== "verified") return false;
  const reason = classified.reason ?? "checked_later";
  const stored = await storeInTransaction(db, owner, {
    ...classified,
    reason,
    check,
    scheme,
    headers: relevantHeaders(headers, scheme),
    is_flooded: false,
    received_at,
  });
  return stored !== null;
}
