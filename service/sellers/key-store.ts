import type { KEY_STATES, KeyKind, KeyScope } from "#contract/names.ts";
import { queryRow, queryRows, queryValue, type Database, concernsRow } from "../db/database.ts";
import { hashSecret, newKey, writeKey, type KeyMode } from "./key.ts";
import type { Seller } from "./store.ts";

export interface KeyRow {
  id: number;
  kind: KeyKind;
  mode: KeyMode;
  name: string;
  /** Empty for an account token. */
  scopes: KeyScope[];
  prefix: string;
  last_four: string;
  is_active: boolean;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  last_used_address: string | null;
}

const COLUMNS = `key_id as id, kind, mode, name, scopes, prefix, last_four, is_active, created_at,
  expires_at, last_used_at, last_used_address`;

export type KeyState = (typeof KEY_STATES)[number];

export const keyStateOf = (
  { is_active, expires_at }: Pick<KeyRow, "is_active" | "expires_at">,
  now: Date,
): KeyState => {
  if (!is_active) return "revoked";
  return expires_at !== null && expires_at <= now ? "expired" : "active";
};

export interface NewKey {
  seller_id: number;
  mode: KeyMode;
  created_at: Date;
  kind?: KeyKind;
  name?: string;
  scopes?: readonly KeyScope[];
  expires_at?: Date | null;
}

/** Creates a key or token. @returns its row, and its text, which is not stored: show it once */
export async function insertKey(
  database: Database,
  {
    seller_id,
    mode,
    created_at,
    kind = "api_key",
    name = "",
    scopes = ["read", "write"],
    expires_at = null,
  }: NewKey,
): Promise<{ text: string; row: KeyRow }> {
  const key = newKey(mode, kind);
  const { rows } = await database.query<KeyRow>(
    `insert into api_key (seller_id, mode, prefix, secret_hash, last_four, created_at, kind, name,
       scopes, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${COLUMNS}`,
    [
      seller_id,
      mode,
      key.prefix,
      hashSecret(key.secret),
      key.secret.slice(-4),
      created_at,
      kind,
      name,
      kind === "account_token" ? [] : scopes,
      expires_at,
    ],
  );
  return { text: writeKey(key), row: rows[0] as KeyRow };
}

/** Creates a key or token. @returns its text, which is not stored: show it once */
export const issueKey = async (database: Database, key: NewKey) =>
  (await insertKey(database, key)).text;

export interface FoundKey extends Pick<
  KeyRow,
  "kind" | "scopes" | "is_active" | "expires_at" | "last_used_at"
> {
  secret_hash: Buffer;
  seller: Seller;
  /** Whether the account was verified and is suspended. */
  is_suspended: boolean;
}

/**
 * Finds a key by its public prefix; only the hash of the secret half is stored. Read for each
 * request, so that a change counts at the next one in every process.
 */
export async function findKey(database: Database, prefix: string): Promise<FoundKey | null> {
  const row = await queryRow<Seller & Omit<FoundKey, "seller">>(
    database,
    `select s.suspended_at is not null as is_suspended, k.secret_hash, k.kind, k.scopes, k.is_active, k.expires_at, k.last_used_at,
       s.seller_id, s.name, s.kyc_verified, s.api_usage_type, s.time_zone, s.grace_days,
       s.clock_offset_ms, s.page_key
     from api_key k join seller s using (seller_id) where k.prefix = $1`,
    [prefix],
  );
  if (!row) return null;
  const { secret_hash, kind, scopes, is_active, expires_at, last_used_at, ...rest } = row;
  const { is_suspended, ...seller } = rest;
  const key = { secret_hash, kind, scopes, is_active, expires_at, last_used_at };
  return { ...key, is_suspended, seller };
}

const USE_NOTED_EVERY = 60_000;

/**
 * Notes a key's use, at most once a minute; does not wait for a change of the key that is going on.
 * @param at the real time
 */
export async function noteUse(
  database: Database,
  { prefix, last_used_at }: { prefix: string; last_used_at: Date | null },
  { at, address }: { at: Date; address: string },
): Promise<void> {
  const before = new Date(at.getTime() - USE_NOTED_EVERY);
  if (last_used_at !== null && last_used_at > before) return;
  await database.query(
    `update api_key set last_used_at = $3, last_used_address = $4
     where key_id = (select key_id from api_key
       where prefix = $1 and (last_used_at is null or last_used_at <= $2)
       for no key update skip locked)`,
    [prefix, before, at, address],
  );
}

export const listKeys = (database: Database, sellerId: number) =>
  queryRows<KeyRow>(
    database,
    `select ${COLUMNS} from api_key where seller_id = $1 order by key_id`,
    [sellerId],
  );

/** One page of a seller's keys and tokens, newest first. */
export const selectKeys = (
  database: Database,
  sellerId: number,
  { page, pageSize }: { page: number; pageSize: number },
) =>
  queryRows<KeyRow>(
    database,
    `select ${COLUMNS} from api_key where seller_id = $1
     order by key_id desc limit $2 offset $3`,
    [sellerId, pageSize, (page - 1) * pageSize],
  );

export const countKeys = async (database: Database, sellerId: number) =>
  (await queryValue<number>(
    database,
    "select count(*)::int from api_key where seller_id = $1",
    [sellerId],
  )) ?? 0;

/** How many of a seller's keys and tokens work at that time. */
export const countWorkingKeys = async (database: Database, sellerId: number, now: Date) =>
  (await queryValue<number>(
    database,
    `select count(*)::int from api_key
     where seller_id = $1 and is_active and (expires_at is null or expires_at > $2)`,
    [sellerId, now],
  )) ?? 0;

/** A seller's key, locked until the transaction ends; null for an unknown or another seller's. */
export const lockKey = (database: Database, sellerId: number, id: number) =>
  queryRow<KeyRow>(
    database,
    `select ${COLUMNS} from api_key where seller_id = $1 and key_id = $2 for no key update`,
    [sellerId, id],
  );

/** Writes all fields of a key that can change. */
export async function updateKey(
  database: Database,
  sellerId: number,
  { id, name, scopes, is_active, expires_at }: KeyRow,
): Promise<KeyRow> {
  const row = await queryRow<KeyRow>(
    database,
    `update api_key set name = $3, scopes = $4, is_active = $5, expires_at = $6
     where seller_id = $1 and key_id = $2 returning ${COLUMNS}`,
    [sellerId, id, name, scopes, is_active, expires_at],
  );
  if (!row) throw new Error("the key was not locked");
  return row;
}

/** Revokes a key. @returns false if no key has that prefix */
export const revokeKey = (database: Database, prefix: string) =>
  concernsRow(database, "update api_key set is_active = false where prefix = $1", [prefix]);
