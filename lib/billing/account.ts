import "server-only";
import type pg from "pg";
import type { OpenAccount } from "#contract/account.ts";
import {
  encryptionKeyIdOf,
  sealApiKey,
  tryOpenSecret,
  tryReseal,
  type EncryptionKeys,
  type KeyOwner,
  type SecretOwner,
} from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { accountsToken, billingUrl } from "#lib/env.ts";
import { AccountClient } from "./account-client.ts";
import { saveApiKey } from "./connection.ts";

/** The name of the API key that the dashboard makes for itself. */
const OWN_KEY_NAME = "Duebook";

const sealedFor = ({ seller_id, mode }: KeyOwner): SecretOwner => ({
  seller_id,
  mode,
  purpose: "account",
});

interface Row extends KeyOwner {
  sealed_key: Buffer;
  key_id: string;
  api_key_id: number | null;
}

/** Whether the billing service of this mode lets this installation open accounts. */
export const canOpenAccounts = (mode: KeyOwner["mode"]): boolean =>
  accountsToken(mode) !== null && billingUrl(mode) !== null;

/** A client for the seller's own account; null if this installation did not open one. */
export async function openAccountClient(
  db: Database,
  owner: KeyOwner,
  keys: EncryptionKeys,
): Promise<{ account: AccountClient; api_key_id: number | null } | null> {
  const baseUrl = billingUrl(owner.mode);
  const { rows } = await db.query<Row>(
    `select sealed_key, key_id, api_key_id::int from billing_account
      where seller_id = $1 and mode = $2`,
    [owner.seller_id, owner.mode],
  );
  const [row] = rows;
  const token = row && tryOpenSecret(row.sealed_key, row.key_id, sealedFor(owner), keys);
  if (!row || !token || baseUrl === null) return null;
  return { account: new AccountClient({ baseUrl, token }), api_key_id: row.api_key_id };
}

/**
 * Opens the seller's account at the billing service, or the one of an earlier try, and connects it
 * with an API key of its own once it is verified.
 * @returns whether a key is connected
 * @throws AppError if the service does not answer or refuses
 */
export async function connectOwnAccount(
  pool: pg.Pool,
  owner: KeyOwner,
  { user_id, ...seller }: Omit<OpenAccount, "reference"> & { user_id: string },
  keys: EncryptionKeys,
): Promise<boolean> {
  const baseUrl = billingUrl(owner.mode);
  const installationToken = accountsToken(owner.mode);
  if (baseUrl === null || installationToken === null)
    throw new Error(`this installation opens no accounts in ${owner.mode} mode`);
  const opener = new AccountClient({ baseUrl, token: installationToken });
  const { answer, issued } = await opener.openAccount({
    ...seller,
    reference: owner.seller_id,
  });
  await storeAccount(pool, owner, { account_id: answer.account_id, token: issued }, keys);
  if (!answer.is_verified) return false;
  const account = new AccountClient({ baseUrl, token: issued });
  const key = await account.createKey({
    name: OWN_KEY_NAME,
    scopes: ["read", "write"],
    expires_at: null,
  });
  await saveApiKey(pool, owner, { apiKey: key.issued, state: "good", user_id }, keys);
  await pool.query(
    "update billing_account set api_key_id = $3 where seller_id = $1 and mode = $2",
    [owner.seller_id, owner.mode, key.answer.id],
  );
  return true;
}

async function storeAccount(
  db: Database,
  owner: KeyOwner,
  { account_id, token }: { account_id: number; token: string },
  [encryptionKey]: EncryptionKeys,
): Promise<void> {
  await db.query(
    `insert into billing_account (seller_id, mode, sealed_key, key_id, account_id)
     values ($1, $2, $3, $4, $5)
     on conflict (seller_id, mode) do update
       set sealed_key = excluded.sealed_key, key_id = excluded.key_id,
           account_id = excluded.account_id`,
    [
      owner.seller_id,
      owner.mode,
      sealApiKey(token, sealedFor(owner), encryptionKey),
      encryptionKeyIdOf(encryptionKey),
      account_id,
    ],
  );
}

/** Encrypts every account token with the current key; unreadable ones are counted and do not change. */
export async function rotateAccountTokens(
  db: Database,
  keys: EncryptionKeys,
): Promise<{ rewrapped: number; unopened: number }> {
  const key_id = encryptionKeyIdOf(keys[0]);
  const { rows } = await db.query<Row>("select * from billing_account where key_id <> $1", [
    key_id,
  ]);
  const total = { rewrapped: 0, unopened: 0 };
  for (const row of rows) {
    const sealed = tryReseal(row.sealed_key, row.key_id, sealedFor(row), keys);
    if (sealed)
      await db.query(
        "update billing_account set sealed_key = $3, key_id = $4 where seller_id = $1 and mode = $2",
        [row.seller_id, row.mode, sealed, key_id],
      );
    total[sealed ? "rewrapped" : "unopened"] += 1;
  }
  return total;
}
