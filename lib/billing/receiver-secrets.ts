import "server-only";
import { concernsRow } from "#contract/process/database.ts";
import {
  encryptionKeyIdOf,
  sealApiKey,
  tryOpenSecret,
  type EncryptionKeys,
  type KeyOwner,
  type SecretOwner,
} from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import type { RegisteredWebhook } from "./webhook-endpoints.ts";

export interface SealedSecret {
  sealed_secret: Buffer;
  key_id: string;
}

interface SecretToStore {
  secret: string;
  /** The endpoint that the secret belongs to; null for a pasted secret. */
  webhook_id: number | null;
  event: string | null;
}

/**
 * Days for which a replaced secret stays valid; senders sign with both secrets for a shorter time.
 */
const DAYS_BESIDE = 2;
/** Most secrets of one receiver: one for each event's endpoint, and a reserve. */
export const MAX_SECRETS = 20;

const sealedFor = ({ seller_id, mode }: KeyOwner): SecretOwner => ({
  seller_id,
  mode,
  purpose: "receiver",
});

/**
 * Stores an encrypted secret. An earlier secret of the same endpoint stays valid for some days and
 * does not count towards the limit.
 * @returns false, with nothing changed, without a receiver or at the limit
 */
export const addSecret = (
  db: Database,
  owner: KeyOwner,
  { secret, webhook_id, event }: SecretToStore,
  [encryptionKey]: EncryptionKeys,
) =>
  concernsRow(
    db,
    `with room as (
       select seller_id, mode from receiver where seller_id = $1 and mode = $2
          and (select count(*) from receiver_secret where seller_id = $1 and mode = $2
                 and ends_at is null and webhook_id is distinct from $5::bigint) < ${MAX_SECRETS}
     ), gone as (
       delete from receiver_secret where seller_id = $1 and mode = $2 and ends_at < now()
     ), replaced as (
       update receiver_secret set ends_at = now() + interval '${DAYS_BESIDE} days'
        where seller_id = $1 and mode = $2 and webhook_id = $5 and ends_at is null
          and exists (select 1 from room)
     )
     insert into receiver_secret (seller_id, mode, sealed_secret, key_id, webhook_id, event)
     select seller_id, mode, $3, $4, $5, $6 from room`,
    [
      owner.seller_id,
      owner.mode,
      sealApiKey(secret, sealedFor(owner), encryptionKey),
      encryptionKeyIdOf(encryptionKey),
      webhook_id,
      event,
    ],
  );

/** The secrets that can be decrypted; those with an unknown encryption key are left out. */
export const openSecrets = (
  sealed: readonly SealedSecret[],
  owner: KeyOwner,
  keys: EncryptionKeys,
): string[] =>
  sealed.flatMap(
    ({ sealed_secret, key_id }) =>
      tryOpenSecret(sealed_secret, key_id, sealedFor(owner), keys) ?? [],
  );

/** Stores the secret of a webhook created by hand, if it leads to this seller's receiver. */
export async function storeOwnSecret(
  db: Database,
  owner: KeyOwner,
  { webhook, secret }: RegisteredWebhook,
  keys: EncryptionKeys,
): Promise<void> {
  if (secret === null) return;
  const { rows } = await db.query<{ token: string }>(
    "select token from receiver where seller_id = $1 and mode = $2",
    [owner.seller_id, owner.mode],
  );
  const [receiver] = rows;
  if (!receiver || !webhook.endpoint_url.endsWith(`/${receiver.token}`)) return;
  await addSecret(db, owner, { secret, webhook_id: webhook.id, event: webhook.event }, keys);
}

/** Stores the new secret of an endpoint whose old secret is stored. */
export async function storeRotatedSecret(
  db: Database,
  owner: KeyOwner,
  { webhook_id, secret }: { webhook_id: number; secret: string | null },
  keys: EncryptionKeys,
): Promise<void> {
  if (secret === null) return;
  const { rows } = await db.query<{ event: string | null }>(
    `select event from receiver_secret
      where seller_id = $1 and mode = $2 and webhook_id = $3 and ends_at is null`,
    [owner.seller_id, owner.mode, webhook_id],
  );
  const [known] = rows;
  if (known) await addSecret(db, owner, { secret, webhook_id, event: known.event }, keys);
}
