import type pg from "pg";
import {
  encryptionKeyOf,
  encryptionKeyIdOf,
  openApiKey,
  type EncryptionKeys,
  type KeyOwner,
} from "#lib/crypto/api-key.ts";
import { encryptionKeysOf } from "#lib/env.ts";
import { decryptWithAnyKey } from "../../service/webhooks/secret.ts";
import { SEALED_TABLES } from "../process/secrets.ts";
import {
  countWithNoun,
  failure,
  presentFindings,
  type Finding,
  type CheckedInstallation,
  ok,
  warning,
} from "./finding.ts";

interface Row extends KeyOwner {
  sealed_key: Buffer;
  key_id: string;
}

export interface DecryptedKey extends KeyOwner {
  apiKey: string;
}

const MOST = 10_000;

/** Decrypts the stored API keys. @returns those, and the number of keys that cannot be decrypted */
export async function openKeys(pool: pg.Pool, keys: EncryptionKeys) {
  const { rows } = await pool.query<Row>(
    "select seller_id, mode, sealed_key, key_id from billing_connection order by set_at limit $1",
    [MOST],
  );
  const open = rows.flatMap((row): DecryptedKey[] => {
    const encryptionKey = encryptionKeyOf(row.key_id, keys);
    if (!encryptionKey) return [];
    try {
      const { seller_id, mode } = row;
      return [{ seller_id, mode, apiKey: openApiKey(row.sealed_key, row, encryptionKey) }];
    } catch {
      return [];
    }
  });
  return { open, closed: rows.length - open.length };
}

/** Checks that stored secrets can be opened and that a key rotation was finished. */
export async function checkEncryption({
  env,
  dashboard,
  service,
  serviceSecretsKeys,
}: CheckedInstallation): Promise<Finding[]> {
  const keys = encryptionKeysOf(env);
  return [
    ...(dashboard ? await checkStored(dashboard, keys) : []),
    ...(service ? await checkWebhookSecrets(service, serviceSecretsKeys) : []),
  ];
}

async function checkStored(pool: pg.Pool, keys: EncryptionKeys): Promise<Finding[]> {
  const { open, closed } = await openKeys(pool, keys);
  return presentFindings(
    closed > 0
      ? failure(
          `${countWithNoun(closed, "stored API key")} cannot be decrypted: encrypted with another key, or damaged.`,
          "Set API_KEY_ENCRYPTION_KEY (or API_KEY_ENCRYPTION_KEY_OLD) to the key that encrypted them, from secrets.json or its copy; else the sellers connect again.",
        )
      : ok(`The encryption key decrypts every stored API key (${open.length}).`),
    ...(await checkRotation(pool, keys)),
  );
}

async function checkRotation(pool: pg.Pool, keys: EncryptionKeys): Promise<Finding[]> {
  const parts = SEALED_TABLES.map((table) => `select key_id from ${table}`).join(" union all ");
  const { rows } = await pool.query<{ key_id: string; count: number }>(
    `select key_id, count(*)::int as count from (${parts}) sealed group by key_id`,
  );
  const [newest, ...old] = keys.map(encryptionKeyIdOf);
  const sealedBy = (ids: string[]) =>
    rows.filter(({ key_id }) => ids.includes(key_id)).reduce((sum, row) => sum + row.count, 0);
  const left = sealedBy(old.filter((id) => id !== newest));
  const strange =
    rows.reduce((sum, row) => sum + row.count, 0) - sealedBy([newest ?? "", ...old]);
  return presentFindings(
    left > 0 &&
      warning(
        `A rotation of the encryption key is half done: ${countWithNoun(left, "secret")} still encrypted with an earlier key.`,
        "Run: npm run dashboard:admin -- rotate-keys",
      ),
    strange > 0 &&
      failure(
        `${countWithNoun(strange, "secret was", "secrets were")} encrypted with a key that is not set (API keys, second factors and webhooks).`,
        "Add that key to API_KEY_ENCRYPTION_KEY_OLD, then run: npm run dashboard:admin -- rotate-keys",
      ),
  );
}

async function checkWebhookSecrets(pool: pg.Pool, keys: readonly Buffer[]): Promise<Finding[]> {
  const { rows } = await pool.query<{ seller_id: number; sealed_secret: Buffer }>(
    "select seller_id::int, sealed_secret from webhook order by id desc limit $1",
    [MOST],
  );
  if (rows.length === 0) return [];
  if (keys.length === 0)
    return [
      failure(
        "SERVICE_SECRETS_KEY is not set, but webhooks are registered: they are not delivered.",
        "Set it to the key of DATA_DIR/secrets.json, or of its copy.",
      ),
    ];
  const openers = rows.map(
    (row) => decryptWithAnyKey(keys, row.seller_id, row.sealed_secret)?.key,
  );
  const closed = openers.filter((key) => !key).length;
  const left = openers.filter((key) => key && key !== keys[0]).length;
  return presentFindings(
    closed > 0
      ? failure(
          `SERVICE_SECRETS_KEY does not decrypt the signing secrets of ${countWithNoun(closed, "webhook")}.`,
          "Set it, or SERVICE_SECRETS_KEY_OLD, to the key that encrypted them; else register those webhooks again.",
        )
      : ok(`The service's key decrypts the signing secret of every webhook (${rows.length}).`),
    left > 0 &&
      warning(
        `A rotation of SERVICE_SECRETS_KEY is half done: the secrets of ${countWithNoun(left, "webhook")} are still encrypted with an earlier key.`,
        "Run: npm run service:admin -- rotate-secrets-key",
      ),
  );
}
