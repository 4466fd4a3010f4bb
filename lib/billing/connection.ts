import "server-only";
import type { Database } from "#lib/db/pool.ts";
import { keyIdOf, openApiKey, sealApiKey, type KeyOwner } from "./api-key.ts";
import { checkoutBaseOf } from "./checkout-link.ts";
import { BillingError } from "./errors.ts";

interface StoredKey {
  sealed_key: Buffer;
  key_id: string;
}

/** @throws BillingError `unauthorized` when no key is stored, or it cannot be opened any more. */
export async function readApiKey(
  db: Database,
  owner: KeyOwner,
  encryptionKey: Buffer,
): Promise<string> {
  const apiKey = await tryReadApiKey(db, owner, encryptionKey);
  if (apiKey === null) throw new BillingError({ kind: "unauthorized" });
  return apiKey;
}

/** Stores the key unless it is the stored one already; another key's checkout address is forgotten. */
export async function ensureApiKey(
  db: Database,
  owner: KeyOwner,
  apiKey: string,
  encryptionKey: Buffer,
): Promise<void> {
  if ((await tryReadApiKey(db, owner, encryptionKey)) === apiKey) return;
  await db.query(
    `insert into billing_connection (seller_id, mode, sealed_key, key_id, last4)
     values ($1, $2, $3, $4, $5)
     on conflict (seller_id, mode) do update
       set sealed_key = excluded.sealed_key, key_id = excluded.key_id, last4 = excluded.last4,
           checkout_base_url = null, set_at = now(), set_by = null`,
    [
      owner.seller_id,
      owner.mode,
      sealApiKey(apiKey, owner, encryptionKey),
      keyIdOf(encryptionKey),
      apiKey.slice(-4),
    ],
  );
}

async function tryReadApiKey(db: Database, owner: KeyOwner, encryptionKey: Buffer) {
  const { rows } = await db.query<StoredKey>(
    "select sealed_key, key_id from billing_connection where seller_id = $1 and mode = $2",
    [owner.seller_id, owner.mode],
  );
  const [stored] = rows;
  if (!stored || stored.key_id !== keyIdOf(encryptionKey)) return null;
  try {
    return openApiKey(stored.sealed_key, owner, encryptionKey);
  } catch {
    return null;
  }
}

export async function readCheckoutBase(db: Database, owner: KeyOwner): Promise<string | null> {
  const { rows } = await db.query<{ checkout_base_url: string | null }>(
    "select checkout_base_url from billing_connection where seller_id = $1 and mode = $2",
    [owner.seller_id, owner.mode],
  );
  return rows[0]?.checkout_base_url ?? null;
}

/** Learns where checkouts live from a link that create returned. */
export async function rememberCheckoutBase(
  db: Database,
  owner: KeyOwner,
  created: { subscription_id: string; checkout_url: string },
): Promise<void> {
  const base = checkoutBaseOf(created.checkout_url, created.subscription_id);
  if (base === null) return;
  await db.query(
    `update billing_connection set checkout_base_url = $3
      where seller_id = $1 and mode = $2 and checkout_base_url is distinct from $3`,
    [owner.seller_id, owner.mode, base],
  );
}
