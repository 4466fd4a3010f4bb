import "server-only";
import type pg from "pg";
import {
  encryptionKeyIdOf,
  tryReseal,
  type EncryptionKeys,
  type KeyOwner,
} from "#lib/crypto/api-key.ts";
import { inTransaction } from "#lib/db/pool.ts";

interface Row extends KeyOwner {
  sealed_key: Buffer;
  key_id: string;
}

export interface KeyRotationResult {
  /** Rows that were encrypted again with the current key. */
  rewrapped: number;
  /** Rows that no given key opens; they do not change. */
  unopened: number;
}

/**
 * Encrypts every stored key again with the current encryption key. Each batch is a transaction, so the
 * rotation can be stopped and run again; newly stored keys use the current key already.
 */
export async function rotateKeys(
  pool: pg.Pool,
  keys: EncryptionKeys,
  {
    batch = 200,
    onBatch = () => {},
  }: { batch?: number; onBatch?: (so_far: KeyRotationResult) => void } = {},
): Promise<KeyRotationResult> {
  const total: KeyRotationResult = { rewrapped: 0, unopened: 0 };
  let after: Row | undefined;
  for (;;) {
    const { rows, rewrapped } = await rotateBatch(pool, keys, batch, after);
    after = rows.at(-1);
    if (!after) return total;
    total.rewrapped += rewrapped;
    total.unopened += rows.length - rewrapped;
    onBatch(total);
  }
}

function rotateBatch(
  pool: pg.Pool,
  keys: EncryptionKeys,
  batch: number,
  after: Row | undefined,
) {
  const key_id = encryptionKeyIdOf(keys[0]);
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Row>(
      `select seller_id, mode, sealed_key, key_id from billing_connection
        where key_id <> $1 and ($2::uuid is null or (seller_id, mode) > ($2, $3))
        order by seller_id, mode limit $4 for update`,
      [key_id, after?.seller_id ?? null, after?.mode ?? "", batch],
    );
    const rewrapped = rows.flatMap((row) => {
      const sealed_key = tryReseal(row.sealed_key, row.key_id, row, keys);
      return sealed_key ? [{ ...row, sealed_key }] : [];
    });
    await client.query(
      `update billing_connection c set sealed_key = new.sealed_key, key_id = $4
         from unnest($1::uuid[], $2::text[], $3::bytea[]) as new (seller_id, mode, sealed_key)
        where c.seller_id = new.seller_id and c.mode = new.mode`,
      [
        rewrapped.map((row) => row.seller_id),
        rewrapped.map((row) => row.mode),
        rewrapped.map((row) => row.sealed_key),
        key_id,
      ],
    );
    return { rows, rewrapped: rewrapped.length };
  });
}
