import "server-only";
import type pg from "pg";
import type { EncryptionKeys, KeyOwner } from "#lib/crypto/api-key.ts";
import { openSecrets, type SealedSecret } from "#lib/billing/receiver-secrets.ts";
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

const STEP = 200;
const CHECKED_AGAIN: ReceivedVerdict[] = ["unverified", "forged"];

/** Whether a new secret or scheme could still verify the delivery. */
export const isRecheckable = ({
  verdict,
  text,
}: Pick<ClassifiedDelivery, "verdict" | "text">): boolean =>
  CHECKED_AGAIN.includes(verdict) && isBodyStored(text);

/**
 * Checks stored, unverified deliveries again with the current secrets. A delivery that proves
 * authentic and was received in time is stored as a new, verified row with its old time; the others
 * stay as they are.
 * @returns how many were verified; 0 while another process checks
 */
export function recheckStored(
  pool: pg.Pool,
  owner: KeyOwner,
  keys: EncryptionKeys,
): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ scheme: unknown; secrets: ListedSecret[] }>(
      `select scheme, ${VALID_SECRETS_SQL} as secrets from receiver r
        where seller_id = $1 and mode = $2 for no key update of r skip locked`,
      [owner.seller_id, owner.mode],
    );
    const [receiver] = rows;
    if (!receiver) return 0;
    const scheme = readStoredScheme(receiver.scheme);
    const secrets = openSecrets(receiver.secrets.map(sealedSecretOf), owner, keys);
    let verified = 0;
    if (secrets.length > 0)
      for await (const waiting of everyWaiting(client, owner))
        if (await recheck(client, owner, waiting, { scheme, secrets })) verified += 1;
    await client.query(
      "update receiver set rechecked_at = now() where seller_id = $1 and mode = $2",
      [owner.seller_id, owner.mode],
    );
    return verified;
  });
}

interface Waiting {
  id: string;
  headers: Record<string, string>;
  body: string;
  received_at: string;
  at: number;
}

/** Yields waiting deliveries, oldest first: of two with one id, the first one counts. */
async function* everyWaiting(
  db: Database,
  { seller_id, mode }: KeyOwner,
): AsyncGenerator<Waiting> {
  let after = "0";
  for (;;) {
    const { rows } = await db.query<Waiting>(
      `select id::text, headers, body, received_at::text,
              extract(epoch from received_at)::float8 * 1000 as at
         from received_delivery
        where seller_id = $1 and mode = $2 and verdict <> 'verified'
          and verdict = any($4) and body is not null and id > $3
        order by id limit ${STEP}`,
      [seller_id, mode, after, CHECKED_AGAIN],
    );
    yield* rows;
    if (rows.length < STEP) return;
    after = rows.at(-1)?.id ?? after;
  }
}

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
