import type pg from "pg";
import { transaction } from "../db/database.ts";
import { decryptWithAnyKey, encryptSecret } from "./secret.ts";

interface Row {
  id: number;
  seller_id: number;
  sealed: Buffer;
}

/** Every column that is encrypted with SERVICE_SECRETS_KEY. */
const SEALED_COLUMNS = [
  { table: "webhook", key: "id", column: "sealed_secret" },
  { table: "webhook", key: "id", column: "previous_sealed_secret" },
  { table: "message_channel", key: "channel_id", column: "sealed_settings" },
  { table: "payment_account", key: "account_id", column: "sealed_settings" },
] as const;

interface SecretsRotationResult {
  resealed: number;
  /** Number of secrets that no given key decrypts; they are left unchanged. */
  unopened: number;
}

/**
 * Re-encrypts all signing secrets and settings of channels and payment accounts with the first key.
 * Each batch is its own transaction, so it can be stopped and run again; new ones use the first key
 * already.
 */
export async function rotateSecretsKey(
  pool: pg.Pool,
  keys: readonly [Buffer, ...Buffer[]],
  {
    batch = 200,
    onBatch = () => {},
  }: { batch?: number; onBatch?: (so_far: SecretsRotationResult) => void } = {},
): Promise<SecretsRotationResult> {
  const total: SecretsRotationResult = { resealed: 0, unopened: 0 };
  for (const place of SEALED_COLUMNS) {
    let after: number | undefined = 0;
    while (after !== undefined) {
      const done = await rotateBatch(pool, keys, { ...place, batch, after });
      total.resealed += done.resealed;
      total.unopened += done.unopened;
      after = done.last;
      if (after !== undefined) onBatch(total);
    }
  }
  return total;
}

function rotateBatch(
  pool: pg.Pool,
  keys: readonly [Buffer, ...Buffer[]],
  {
    table,
    key,
    column,
    batch,
    after,
  }: (typeof SEALED_COLUMNS)[number] & { batch: number; after: number },
): Promise<SecretsRotationResult & { last: number | undefined }> {
  return transaction(pool, async (database) => {
    const { rows } = await database.query<Row>(
      `select ${key} as id, seller_id, ${column} as sealed from ${table}
       where ${key} > $1 and ${column} is not null order by ${key} limit $2 for update`,
      [after, batch],
    );
    const opened = rows.map((row) => ({
      ...row,
      found: decryptWithAnyKey(keys, row.seller_id, row.sealed),
    }));
    const changed = opened.flatMap(({ id, seller_id, found }) =>
      found && found.key !== keys[0]
        ? [{ id, seller_id, sealed: encryptSecret(keys[0], seller_id, found.secret) }]
        : [],
    );
    await database.query(
      `update ${table} t set ${column} = new.sealed
       from unnest($1::bigint[], $2::bigint[], $3::bytea[]) as new (seller_id, id, sealed)
       where t.seller_id = new.seller_id and t.${key} = new.id`,
      [
        changed.map(({ seller_id }) => seller_id),
        changed.map(({ id }) => id),
        changed.map(({ sealed }) => sealed),
      ],
    );
    return {
      resealed: changed.length,
      unopened: opened.filter(({ found }) => !found).length,
      last: rows.at(-1)?.id,
    };
  });
}
