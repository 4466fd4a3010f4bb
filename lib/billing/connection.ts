import "server-only";
import type pg from "pg";
import { cache } from "react";
import { inSpan } from "#contract/process/tracing.ts";
import { logFault } from "#lib/log.ts";
import { emptyIndex, inDeleteTransaction, type Database } from "#lib/db/pool.ts";
import {
  encryptionKeyIdOf,
  sealApiKey,
  tryOpenSecret,
  type EncryptionKeys,
  type KeyOwner,
} from "#lib/crypto/api-key.ts";
import type { Extension, KeyResult, KeyInUse } from "./transport.ts";
import { AppError } from "#lib/failure.ts";
import type { Mode } from "#lib/scope.ts";

/** The last answer of the service about a stored key. */
type KeyState = "good" | "unverified" | "refused";

/** A stored key, without the key itself. */
export interface Connection {
  last4: string;
  state: KeyState;
  state_since: Date;
  set_at: Date;
  /**
   * The name of the user who stored the key; null if the installation set it or the account was
   * deleted.
   */
  set_by: string | null;
  last_success_at: Date | null;
  last_refusal_at: Date | null;
  /** False if the key was encrypted with an unknown encryption key. */
  can_be_opened: boolean;
}

interface Row extends Omit<Connection, "can_be_opened"> {
  sealed_key: Buffer;
  key_id: string;
  /** The version of the search index; null without an index. */
  index_version: string | null;
  asked_at: string;
  /** Extensions that the service was found to lack within the last day. */
  absent_doors: Extension[];
  /** Extensions that the service was ever found to lack. */
  told_doors: Extension[];
  offered_extensions: Extension[];
}

// Prepared: it runs before every call, and planning it would cost more than running it.
const FIND_CONNECTION = `select c.sealed_key, c.key_id, c.last4, c.state, c.state_since, c.set_at,
            c.last_success_at, c.last_refusal_at, u.name as set_by,
            i.index_version, clock_timestamp()::text as asked_at,
            array(select extension from jsonb_each_text(c.absent_doors) as known(extension, told_at)
                   where told_at::timestamptz > now() - interval '1 day') as absent_doors,
            array(select jsonb_object_keys(c.absent_doors)) as told_doors, c.offered_extensions
       from billing_connection c left join app_user u on u.id = c.set_by
       left join search_index i on i.seller_id = c.seller_id and i.mode = c.mode
      where c.seller_id = $1 and c.mode = $2`;

async function readRow(db: Database, owner: KeyOwner): Promise<Row | undefined> {
  const { rows } = await db.query<Row>({
    name: "connection",
    text: FIND_CONNECTION,
    values: [owner.seller_id, owner.mode],
  });
  return rows[0];
}

/** The calls of one page share what is read; routes, actions and jobs read it before each call. */
const readRowForCall = cache((db: Database, ...[seller_id, mode]: [string, Mode]) =>
  readRow(db, { seller_id, mode }),
);

export async function findConnection(
  db: Database,
  owner: KeyOwner,
  keys: EncryptionKeys,
): Promise<Connection | null> {
  const row = await readRow(db, owner);
  if (!row) return null;
  const {
    sealed_key,
    key_id,
    index_version: _version,
    asked_at: _asked,
    absent_doors: _absent,
    told_doors: _told,
    offered_extensions: _offered,
    ...shown
  } = row;
  return { ...shown, can_be_opened: tryOpenSecret(sealed_key, key_id, owner, keys) !== null };
}

/** @throws AppError `not_connected` when no key is stored, or it cannot be opened */
export async function openConnection(
  db: Database,
  owner: KeyOwner,
  keys: EncryptionKeys,
): Promise<KeyInUse & { onKeyResult: (result: KeyResult, now?: Date) => Promise<void> }> {
  const row = await readRowForCall(db, owner.seller_id, owner.mode);
  const apiKey =
    row && inSpan("open key", {}, () => tryOpenSecret(row.sealed_key, row.key_id, owner, keys));
  if (!row || !apiKey) throw new AppError({ kind: "not_connected" });
  return {
    apiKey,
    context: contextOf(row),
    unsupportedExtensions: row.absent_doors,
    rememberUnsupported: (extension, minutes = DAY_MINUTES) =>
      rememberUnsupported(db, owner, row, { extension, minutes }),
    offeredExtensions: row.offered_extensions,
    rememberOffered: (extension) => rememberOffered(db, owner, row, extension),
    forgetUnsupported: async (extension) => {
      if (!row.told_doors.includes(extension)) return;
      await forgetUnsupportedExtensions(db, owner, extension).catch((error: unknown) =>
        logFault("a supported extension could not be stored", error),
      );
    },
    onKeyResult: (result: KeyResult, now: Date = new Date()) =>
      recordKeyResult(db, owner, row, result, now).catch((error: unknown) =>
        logFault("the state of an API key could not be stored", error),
      ),
  };
}

const contextOf = ({ index_version, asked_at }: Row) =>
  index_version === null ? null : { index_version, asked_at };

const DAY_MINUTES = 24 * 60;

async function rememberUnsupported(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { sealed_key, absent_doors }: Row,
  { extension, minutes }: { extension: Extension; minutes: number },
): Promise<void> {
  if (absent_doors.includes(extension)) return;
  await db.query(
    `update billing_connection
        set absent_doors = absent_doors ||
              jsonb_build_object($4::text, now() - $5 * interval '1 minute'),
            offered_extensions = array_remove(offered_extensions, $4::text)
      where seller_id = $1 and mode = $2 and sealed_key = $3`,
    [seller_id, mode, sealed_key, extension, DAY_MINUTES - minutes],
  );
}

async function rememberOffered(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { sealed_key }: Row,
  extension: Extension,
): Promise<void> {
  await db.query(
    `update billing_connection
        set absent_doors = absent_doors - $4::text,
            offered_extensions = array_append(array_remove(offered_extensions, $4::text), $4::text)
      where seller_id = $1 and mode = $2 and sealed_key = $3`,
    [seller_id, mode, sealed_key, extension],
  );
}

/**
 * Forgets that the service lacks an extension, so that it is called again.
 * @param extension null forgets what is known of all extensions, also that some are offered
 */
export async function forgetUnsupportedExtensions(
  db: Database,
  { seller_id, mode }: KeyOwner,
  extension: Extension | null,
): Promise<void> {
  await db.query(
    `update billing_connection
        set absent_doors = case when $3::text is null then '{}' else absent_doors - $3::text end,
            offered_extensions = case when $3::text is null then '{}' else offered_extensions end
      where seller_id = $1 and mode = $2 and ($3::text is null or absent_doors ? $3::text)`,
    [seller_id, mode, extension],
  );
}

const MINUTE = 60_000;

/**
 * Records what a response says about the key: a change at once, otherwise at most once a minute.
 */
async function recordKeyResult(
  db: Database,
  owner: KeyOwner,
  row: Row,
  result: KeyResult,
  now: Date,
): Promise<void> {
  const state = stateAfter(row.state, result);
  const isSuccess = result === "good" || result === "listed";
  const last = isSuccess ? row.last_success_at : row.last_refusal_at;
  if (state === row.state && last && now.getTime() - last.getTime() < MINUTE) return;
  // A result for a key that has since been replaced is not recorded.
  await db.query(
    `update billing_connection
        set state = $4,
            state_since = case when state = $4 then state_since else $5 end,
            last_success_at = case when $6 then $5 else last_success_at end,
            last_refusal_at = case when $6 then last_refusal_at else $5 end
      where seller_id = $1 and mode = $2 and sealed_key = $3`,
    [owner.seller_id, owner.mode, row.sealed_key, state, now, isSuccess],
  );
}

/**
 * The key's next state. A product list shows that the key works, not that the account is verified.
 */
function stateAfter(state: KeyState, result: KeyResult): KeyState {
  if (result !== "listed") return result;
  return state === "refused" ? "good" : state;
}

interface NewKey {
  apiKey: string;
  state: KeyState;
  /** The user who stores the key; null for the installation's own key. */
  user_id: string | null;
}

/** Replaces the stored key, and clears the checkout URL and search index of the old key's account. */
export async function saveApiKey(
  pool: Pick<pg.Pool, "connect">,
  owner: KeyOwner,
  key: NewKey,
  keys: EncryptionKeys,
  last_success_at: Date | null = null,
): Promise<void> {
  await emptyIndex(pool, owner);
  await inDeleteTransaction(pool, (client) =>
    writeApiKey(client, owner, key, keys, last_success_at),
  );
}

/** saveApiKey within a transaction of the caller, who has emptied the index. */
export async function writeApiKey(
  db: Database,
  owner: KeyOwner,
  { apiKey, state, user_id }: NewKey,
  [encryptionKey]: EncryptionKeys,
  last_success_at: Date | null = null,
): Promise<void> {
  await db.query(
    `insert into billing_connection
       (seller_id, mode, sealed_key, key_id, last4, state, set_by, last_success_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (seller_id, mode) do update
       set sealed_key = excluded.sealed_key, key_id = excluded.key_id, last4 = excluded.last4,
           state = excluded.state, state_since = now(), set_at = now(), set_by = excluded.set_by,
           last_success_at = excluded.last_success_at, last_refusal_at = null,
           checkout_base_url = null, went_live_at = null, absent_doors = '{}',
           offered_extensions = '{}'`,
    [
      owner.seller_id,
      owner.mode,
      sealApiKey(apiKey, owner, encryptionKey),
      encryptionKeyIdOf(encryptionKey),
      apiKey.slice(-4),
      state,
      user_id,
      last_success_at,
    ],
  );
  await forgetOwnKey(db, owner);
}

/**
 * Forgets the seller's own account. Opening it again finds it by its reference, and revokes the
 * token and the key that it had.
 */
export async function forgetAccount(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<void> {
  await db.query("delete from billing_account where seller_id = $1 and mode = $2", [
    seller_id,
    mode,
  ]);
}

/** Forgets the account that only sends messages. If it is opened again, its schedule is off. */
const forgetMessageAccount = (db: Database, { seller_id, mode }: KeyOwner) =>
  db.query("delete from message_account where seller_id = $1 and mode = $2", [seller_id, mode]);

/** Forgets the key that the dashboard made for itself, because another key is connected. */
async function forgetOwnKey(db: Database, { seller_id, mode }: KeyOwner): Promise<void> {
  await db.query(
    `update billing_account set api_key_id = null, api_key_expires_at = null
      where seller_id = $1 and mode = $2`,
    [seller_id, mode],
  );
}

/** Stores another key of the same account; the search index and all other records stay. */
export async function renewApiKey(
  db: Database,
  owner: KeyOwner,
  apiKey: string,
  [encryptionKey]: EncryptionKeys,
): Promise<void> {
  await db.query(
    `update billing_connection
        set sealed_key = $3, key_id = $4, last4 = $5,
            state = case when state = 'refused' then 'good' else state end,
            state_since = case when state = 'refused' then now() else state_since end
      where seller_id = $1 and mode = $2`,
    [
      owner.seller_id,
      owner.mode,
      sealApiKey(apiKey, owner, encryptionKey),
      encryptionKeyIdOf(encryptionKey),
      apiKey.slice(-4),
    ],
  );
}

/**
 * Stores the installation's own key, unless it is stored already.
 * @param pool for the steps in which another account's index is emptied
 */
export async function ensureApiKey(
  db: Database,
  owner: KeyOwner,
  apiKey: string,
  keys: EncryptionKeys,
  pool: Pick<pg.Pool, "connect">,
): Promise<void> {
  const row = await readRow(db, owner);
  if (row && tryOpenSecret(row.sealed_key, row.key_id, owner, keys) === apiKey) return;
  if (row) await emptyIndex(pool, owner);
  await writeApiKey(db, owner, { apiKey, state: "good", user_id: null }, keys, null);
}

/**
 * Also forgets the account for messages and the seller's own account, which would else be connected
 * again at the next visit.
 * @returns the last four characters of the removed key, if there was one
 */
export async function removeApiKey(
  pool: Pick<pg.Pool, "connect">,
  owner: KeyOwner,
): Promise<string | null> {
  await emptyIndex(pool, owner);
  const { rows } = await inDeleteTransaction(pool, async (client) => {
    const removed = await client.query<{ last4: string }>(
      "delete from billing_connection where seller_id = $1 and mode = $2 returning last4",
      [owner.seller_id, owner.mode],
    );
    await forgetAccount(client, owner);
    await forgetMessageAccount(client, owner);
    return removed;
  });
  return rows[0]?.last4 ?? null;
}
