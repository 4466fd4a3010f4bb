import "server-only";
import { queryRow, concernsRow } from "#contract/process/database.ts";
import type pg from "pg";
import type { AccountKey, OpenAccount } from "#contract/account.ts";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import {
  encryptionKeyIdOf,
  sealApiKey,
  tryOpenSecret,
  type EncryptionKeys,
  type KeyOwner,
  type SecretOwner,
} from "#lib/crypto/api-key.ts";
import { leaseSql } from "#lib/db/lease.ts";
import { database, emptyIndex, inDeleteTransaction, type Database } from "#lib/db/pool.ts";
import { accountsToken, billingUrl, encryptionKeysOf, env } from "#lib/env.ts";
import { AppError, failureOf } from "#lib/failure.ts";
import { logLine } from "#lib/log.ts";
import { AccountClient } from "./account-client.ts";
import { forgetAccount, renewApiKey, writeApiKey } from "./connection.ts";
import { PaymentClient } from "./payment-client.ts";

/** The name of the API key that the dashboard makes for itself, and that no other key gets. */
export const OWN_KEY_NAME = "Duebook";
const OWN_KEY_DAYS = 90;
const RENEW_BEFORE_DAYS = 30;
const RENEWAL_OVERLAP_HOURS = 24;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Longer than the calls of a renewal can take. */
const LEASE = leaseSql(120, { claim: null, until: "renewing_until" });

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

/** Settings of an account that its seller has not chosen yet. */
export const NEW_ACCOUNT = { api_usage_type: "payment", return_url: null } as const;

/** Whether the billing service of this mode lets this installation open accounts. */
export const canOpenAccounts = (mode: KeyOwner["mode"]): boolean =>
  accountsToken(mode) !== null && billingUrl(mode) !== null;

/** A client for the seller's own account; null if this installation did not open one. */
export async function openAccountClient(
  db: Database,
  owner: KeyOwner,
  keys: EncryptionKeys,
): Promise<{ account: AccountClient; api_key_id: number | null } | null> {
  const row = await readAccount(db, owner);
  const account = row && openAs(AccountClient, row, owner, keys);
  return account ? { account, api_key_id: row.api_key_id } : null;
}

async function readAccount(db: Database, { seller_id, mode }: KeyOwner) {
  return queryRow<Row>(
    db,
    `select sealed_key, key_id, api_key_id::int from billing_account
      where seller_id = $1 and mode = $2`,
    [seller_id, mode],
  );
}

type ClientKind<Client> = new (opened: { baseUrl: string; token: string }) => Client;

/** A client of the seller's own account; null if this installation opened none. */
export async function findAccountClient<Client>(
  owner: KeyOwner,
  Kind: ClientKind<Client>,
): Promise<Client | null> {
  const row = await readAccount(database(), owner);
  return row && openAs(Kind, row, owner, encryptionKeysOf(env()));
}

/**
 * Like findAccountClient.
 * @throws AppError `not_offered` if this installation opened no account
 */
export async function requireAccountClient<Client>(
  owner: KeyOwner,
  Kind: ClientKind<Client>,
): Promise<Client> {
  const client = await findAccountClient(owner, Kind);
  if (client) return client;
  throw new AppError({ kind: "not_offered" });
}

export const findPaymentClient = (owner: KeyOwner) => findAccountClient(owner, PaymentClient);

/** `openAccountClient` with this process's database and keys. */
export const findOwnAccount = (owner: KeyOwner) =>
  openAccountClient(database(), owner, encryptionKeysOf(env()));

export const isAccountOpened = (db: Database, { seller_id, mode }: KeyOwner) =>
  concernsRow(db, "select 1 from billing_account where seller_id = $1 and mode = $2", [
    seller_id,
    mode,
  ]);

function openAs<Client>(
  Kind: ClientKind<Client>,
  { sealed_key, key_id }: Pick<Row, "sealed_key" | "key_id">,
  owner: KeyOwner,
  keys: EncryptionKeys,
): Client | null {
  const baseUrl = billingUrl(owner.mode);
  const token = tryOpenSecret(sealed_key, key_id, sealedFor(owner), keys);
  return token === null || baseUrl === null ? null : new Kind({ baseUrl, token });
}

/**
 * Opens the seller's account at the billing service, or finds the one that an earlier try opened,
 * and connects it with an API key of its own once it is verified.
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
  const { grace_days } = await new AccountClient({ baseUrl, token: issued }).readProfile();
  await recordGrace(pool, owner.seller_id, grace_days);
  if (!answer.is_verified) return false;
  await issueOwnKey(pool, owner, { user_id }, keys);
  return true;
}

/**
 * Makes the dashboard's own key, or replaces the one that it has, and connects it. One process at a
 * time; a key whose text was lost in a crash is revoked by the next try.
 * @returns null if another process does it, or no account was opened
 * @throws AppError
 */
export async function issueOwnKey(
  pool: pg.Pool,
  owner: KeyOwner,
  {
    user_id,
    overlap_hours = RENEWAL_OVERLAP_HOURS,
  }: { user_id: string | null; overlap_hours?: number },
  keys: EncryptionKeys,
): Promise<AccountKey | null> {
  const leased = await leaseOwnKey(pool, owner, "true");
  if (!leased) return null;
  try {
    return await issueLeasedKey(pool, owner, leased, { user_id, overlap_hours }, keys);
  } finally {
    await pool.query(
      `update billing_account set ${LEASE.release}
        where seller_id = $1 and mode = $2 and ${LEASE.isHeldBy("$3")}`,
      [owner.seller_id, owner.mode, leased.until],
    );
  }
}

/** A task of the worker: see renewOwnKey. */
export const renewKeyInTime = (owner: KeyOwner): Promise<void> =>
  renewOwnKey(database(), owner, encryptionKeysOf(env()));

/**
 * Replaces the dashboard's own key if it ends within a month; for a background job. After a failure
 * the lease stays, so the next try is some minutes later.
 */
export async function renewOwnKey(
  pool: pg.Pool,
  owner: KeyOwner,
  keys: EncryptionKeys,
): Promise<void> {
  const isDue = `api_key_expires_at < now() + interval '${RENEW_BEFORE_DAYS} days'`;
  const leased = await leaseOwnKey(pool, owner, isDue);
  if (!leased) return;
  const renewal = { user_id: null, overlap_hours: RENEWAL_OVERLAP_HOURS };
  const failure = await issueLeasedKey(pool, owner, leased, renewal, keys).then(
    () => null,
    failureOf,
  );
  if (failure) logLine(`account: the dashboard's own key was not renewed (${failure.kind})`);
}

interface LeasedAccount extends Pick<Row, "sealed_key" | "key_id" | "api_key_id"> {
  until: string;
}

/** @param condition SQL on the account's row */
const leaseOwnKey = (db: Database, { seller_id, mode }: KeyOwner, condition: string) =>
  queryRow<LeasedAccount>(
    db,
    `update billing_account a set ${LEASE.acquire}
      where seller_id = $1 and mode = $2 and ${LEASE.isFree("a")} and ${condition}
      returning sealed_key, key_id, api_key_id::int, renewing_until::text as until`,
    [seller_id, mode],
  );

async function issueLeasedKey(
  pool: pg.Pool,
  owner: KeyOwner,
  leased: LeasedAccount,
  { user_id, overlap_hours }: { user_id: string | null; overlap_hours: number },
  keys: EncryptionKeys,
): Promise<AccountKey | null> {
  const account = openAs(AccountClient, leased, owner, keys);
  if (!account) return null;
  const { results } = await account.listKeys({ page: 1, page_size: MAX_PAGE_SIZE });
  for (const lost of results.filter((one) => isLost(one, leased)))
    await account.revokeKey(lost.id);
  const current = results.find(({ id }) => id === leased.api_key_id);
  const { answer: key, issued } =
    current?.state === "active"
      ? await account.rollKey(current.id, overlap_hours)
      : await account.createKey({
          name: OWN_KEY_NAME,
          scopes: ["read", "write"],
          expires_at: new Date(Date.now() + OWN_KEY_DAYS * DAY_MS).toISOString(),
        });
  const isStored = await storeOwnKey(pool, owner, leased, { key, issued, user_id }, keys);
  if (!isStored) await account.revokeKey(key.id);
  return isStored ? key : null;
}

/**
 * Whether a process made this key and ended before it stored the key: such a key is newer than the
 * stored one.
 */
const isLost = (
  { id, kind, name, state }: AccountKey,
  { api_key_id }: Pick<LeasedAccount, "api_key_id">,
) =>
  kind === "api_key" &&
  name === OWN_KEY_NAME &&
  state === "active" &&
  (api_key_id === null || id > api_key_id);

/** @returns false if the lease ended, or another key was connected meanwhile */
async function storeOwnKey(
  pool: pg.Pool,
  owner: KeyOwner,
  { api_key_id, until }: LeasedAccount,
  { key, issued, user_id }: { key: AccountKey; issued: string; user_id: string | null },
  keys: EncryptionKeys,
): Promise<boolean> {
  if (api_key_id === null) await emptyIndex(pool, owner);
  return inDeleteTransaction(pool, async (client) => {
    // The connection is locked before the account, in the same order as when another key is
    // connected.
    await client.query(
      "select 1 from billing_connection where seller_id = $1 and mode = $2 for update",
      [owner.seller_id, owner.mode],
    );
    const { rowCount } = await client.query(
      `select 1 from billing_account
        where seller_id = $1 and mode = $2 and api_key_id is not distinct from $3
          and ${LEASE.isHeldBy("$4")} for update`,
      [owner.seller_id, owner.mode, api_key_id, until],
    );
    if (rowCount === 0) return false;
    if (api_key_id === null)
      await writeApiKey(client, owner, { apiKey: issued, state: "good", user_id }, keys);
    else await renewApiKey(client, owner, issued, keys);
    await client.query(
      `update billing_account
          set api_key_id = $3, api_key_expires_at = $4, ${LEASE.release}
        where seller_id = $1 and mode = $2`,
      [owner.seller_id, owner.mode, key.id, key.expires_at],
    );
    return true;
  });
}

/**
 * Forgets the seller's own account if a key of another account was connected: the other account has
 * another catalogue and other settings.
 */
export async function forgetOtherAccount(
  db: Database,
  owner: KeyOwner,
  apiKey: string,
  keys: EncryptionKeys,
): Promise<void> {
  const opened = await openAccountClient(db, owner, keys);
  if (!opened) return;
  const { results } = await opened.account.listKeys({ page: 1, page_size: MAX_PAGE_SIZE });
  if (results.some(({ prefix }) => prefix !== "" && apiKey.includes(`_${prefix}_`))) return;
  await forgetAccount(db, owner);
}

/** Stores the account's grace period, which collection reads. */
export async function recordGrace(
  db: Database,
  seller_id: string,
  days: number,
): Promise<void> {
  await db.query(
    "update seller set grace_days = $2 where id = $1 and grace_days is distinct from $2",
    [seller_id, days],
  );
}

/**
 * Connects an opened account with a key of its own, once it is verified.
 * @returns whether it is verified
 * @throws AppError if the service does not answer or refuses
 */
export async function connectVerifiedAccount(
  pool: pg.Pool,
  owner: KeyOwner,
  user_id: string,
  keys: EncryptionKeys,
): Promise<boolean> {
  const opened = await openAccountClient(pool, owner, keys);
  if (!opened) return false;
  const { state } = await opened.account.readVerification();
  if (state !== "verified") return false;
  await issueOwnKey(pool, owner, { user_id }, keys);
  return true;
}

/** Stores the token of an account, in place of an earlier one. */
export async function storeAccount(
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
