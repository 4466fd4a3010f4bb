import "server-only";
import type pg from "pg";
import { inTransaction } from "#lib/db/pool.ts";
import type { Mode } from "#lib/scope.ts";
import {
  encryptionKeyOf,
  keyIdOf,
  rewrapApiKey,
  type EncryptionKeys,
} from "#lib/crypto/api-key.ts";

interface Row {
  seller_id: string;
  mode: Mode;
  sealed_key: Buffer;
  key_id: string;
}

export interface Rotated {
  /** Rows that were sealed again with the current key. */
  rewrapped: number;
  /** Rows that no given key opens; they stay as they are. */
  unopened: number;
}

/**
 * Seals every stored key with the current encryption key. Each batch is a transaction, so the
 * rotation can be stopped and run again; newly stored keys use the current key already.
 */
export async function rotateKeys(
  pool: pg.Pool,
  keys: EncryptionKeys,
  {
    batch = 200,
    onBatch = () => {},
  }: { batch?: number; onBatch?: (so_far: Rotated) => void } = {},
): Promise<Rotated> {
  const total: Rotated = { rewrapped: 0, unopened: 0 };
  let after: Row | undefined;
  for (;;) {
    const rows = await rotateBatch(pool, keys, { batch, after, total });
    after = rows.at(-1);
    if (!after) return total;
    onBatch(total);
  }
}

interface Batch {
  batch: number;
  after: Row | undefined;
  total: Rotated;
}

async function rotateBatch(
  pool: pg.Pool,
  keys: EncryptionKeys,
  { batch, after, total }: Batch,
) {
  const done = await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Row>(
      `select seller_id, mode, sealed_key, key_id from billing_connection
        where key_id <> $1 and ($2::uuid is null or (seller_id, mode) > ($2, $3))
        order by seller_id, mode limit $4 for update`,
      [keyIdOf(keys[0]), after?.seller_id ?? null, after?.mode ?? "", batch],
    );
    const sealed = rows.flatMap((row) => {
      const again = rewrap(row, keys);
      return again ? [again] : [];
    });
    await writeRows(client, sealed, keyIdOf(keys[0]));
    return { rows, rewrapped: sealed.length };
  });
  total.rewrapped += done.rewrapped;
  total.unopened += done.rows.length - done.rewrapped;
  return done.rows;
}

function rewrap(row: Row, keys: EncryptionKeys): Row | null {
  const from = encryptionKeyOf(row.key_id, keys);
  if (!from) return null;
  try {
    return { ...row, sealed_key: rewrapApiKey(row.sealed_key, row, from, keys[0]) };
  } catch {
    return null;
  }
}

async function writeRows(client: pg.ClientBase, rows: Row[], key_id: string) {
  await client.query(
    `update billing_connection c set sealed_key = new.sealed_key, key_id = $4
       from unnest($1::uuid[], $2::text[], $3::bytea[]) as new (seller_id, mode, sealed_key)
      where c.seller_id = new.seller_id and c.mode = new.mode`,
    [
      rows.map((row) => row.seller_id),
      rows.map((row) => row.mode),
      rows.map((row) => row.sealed_key),
      key_id,
    ],
  );
}
