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
import { database, type Database } from "#lib/db/pool.ts";
import { encryptionKeysOf, env, messageService } from "#lib/env.ts";
import { AppError, isMissing } from "#lib/failure.ts";
import { findAccountClient, isAccountOpened } from "./account.ts";
import { AccountClient } from "./account-client.ts";
import { MessageClient } from "./message-client.ts";

const sealedFor = ({ seller_id, mode }: KeyOwner): SecretOwner => ({
  seller_id,
  mode,
  purpose: "messages",
});

/**
 * The reference of the account that only sends messages, for a seller whose subscriptions another
 * service keeps.
 */
const referenceOf = ({ seller_id }: KeyOwner) => `messages:${seller_id}`;

/**
 * The client that sends the seller's messages: of their own account, else of the account that only
 * sends messages; null without either.
 */
export async function findMessageClient(owner: KeyOwner): Promise<MessageClient | null> {
  return (
    (await findAccountClient(owner, MessageClient)) ??
    (await openMessageClient(database(), owner, encryptionKeysOf(env())))
  );
}

/** Whether messages can leave from the seller's own account; null if that is unknown. */
export async function findActiveChannel(owner: KeyOwner): Promise<boolean | null> {
  try {
    const channels = await (await findAccountClient(owner, MessageClient))?.listChannels();
    return channels?.results.some(({ is_active }) => is_active) ?? false;
  } catch (error) {
    if (error instanceof AppError) return isMissing(error) ? false : null;
    throw error;
  }
}

/** @throws AppError `not_offered` if nothing sends messages for the seller */
export async function requireMessageClient(owner: KeyOwner): Promise<MessageClient> {
  const client = await findMessageClient(owner);
  if (client) return client;
  throw new AppError({ kind: "not_offered" });
}

async function openMessageClient(
  db: Database,
  owner: KeyOwner,
  keys: EncryptionKeys,
): Promise<MessageClient | null> {
  const service = messageService(owner.mode);
  if (!service) return null;
  const { rows } = await db.query<{ sealed_key: Buffer; key_id: string }>(
    "select sealed_key, key_id from message_account where seller_id = $1 and mode = $2",
    [owner.seller_id, owner.mode],
  );
  const [row] = rows;
  const token = row ? tryOpenSecret(row.sealed_key, row.key_id, sealedFor(owner), keys) : null;
  return token === null ? null : new MessageClient({ baseUrl: service.baseUrl, token });
}

/** Whether the seller has only an account for messages at this installation's service. */
export async function isMessagesOnly(db: Database, owner: KeyOwner): Promise<boolean> {
  if (await isAccountOpened(db, owner)) return false;
  return concernsRow(db, "select 1 from message_account where seller_id = $1 and mode = $2", [
    owner.seller_id,
    owner.mode,
  ]);
}

/** Whether this installation can send messages for a seller whose account it did not open. */
export const canSendMessages = (mode: KeyOwner["mode"]): boolean =>
  messageService(mode) !== null;

/**
 * Opens an account that only sends messages, or finds the one that an earlier try opened, with its
 * schedule off.
 * @throws AppError if the service does not answer or refuses
 */
export async function openMessageAccount(
  db: Database,
  owner: KeyOwner,
  seller: { name: string; time_zone: string; currency: string },
  keys: EncryptionKeys,
): Promise<void> {
  const service = messageService(owner.mode);
  if (!service || (await isAccountOpened(db, owner)))
    throw new AppError({ kind: "not_offered" });
  const { answer, issued } = await new AccountClient(service).openAccount({
    ...seller,
    reference: referenceOf(owner),
    api_usage_type: "reminder_and_payment",
    return_url: null,
  });
  await switchOff(new MessageClient({ baseUrl: service.baseUrl, token: issued }));
  const [key] = keys;
  await db.query(
    `insert into message_account (seller_id, mode, sealed_key, key_id, account_id)
     values ($1, $2, $3, $4, $5)
     on conflict (seller_id, mode) do update set sealed_key = excluded.sealed_key,
       key_id = excluded.key_id, account_id = excluded.account_id`,
    [
      owner.seller_id,
      owner.mode,
      sealApiKey(issued, sealedFor(owner), key),
      encryptionKeyIdOf(key),
      answer.account_id,
    ],
  );
}

/** Switches off the schedule of an account that existed before, until a member switches it on. */
async function switchOff(client: MessageClient): Promise<void> {
  const { is_on, version } = await client.readSchedule().catch((error: unknown) => {
    // An operator has not verified the account yet, so it has no schedule.
    if (error instanceof AppError && error.failure.kind === "unverified")
      return { is_on: false, version: null };
    throw error;
  });
  if (is_on) await client.changeSchedule({ version, is_on: false });
}
