import type pg from "pg";
import { transaction } from "../db/database.ts";
import { decryptWithAnyKey, encryptSecret } from "./secret.ts";

interface Row {
  id: number;
  seller_id: number;
  sealed_secret: Buffer;
  previous_sealed_secret: Buffer | null;
}

export interface SecretsRotationResult {
  resealed: number;
  /** Number of secrets that no given key decrypts; they are left unchanged. */
  unopened: number;
}

/**
 * Re-encrypts all signing secrets with the first key. Each batch is its own transaction, so it
 * can be stopped and run again; new secrets use the first key already.
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
  let after = 0;
  for (;;) {
    const done = await rotateBatch(pool, keys, { batch, after });
    total.resealed += done.resealed;
    total.unopened += done.unopened;
    if (done.last === undefined) return total;
    after = done.last;
    onBatch(total);
  }
}

function rotateBatch(
  pool: pg.Pool,
  keys: readonly [Buffer, ...Buffer[]],
  { batch, after }: { batch: number; after: number },
): Promise<SecretsRotationResult & { last: number | undefined }> {
  return transaction(pool, async (database) => {
    const { rows } = await database.query<Row>(
      `select id, seller_id, sealed_secret, previous_sealed_secret from webhook
        where id > $1 order by id limit $2 for update`,
      [after, batch],
    );
    const done = { resealed: 0, unopened: 0, last: rows.at(-1)?.id };
    const changed = rows.flatMap((row) => {
      const [now, before] = [row.sealed_secret, row.previous_sealed_secret].map((sealed) =>
        reseal(sealed, row.seller_id, keys, done),
      );
      if (!now && !before) return [];
      return [
        {
          id: row.id,
          now: now ?? row.sealed_secret,
          before: before ?? row.previous_sealed_secret,
        },
      ];
    });
    await database.query(
      `update webhook w set sealed_secret = new.now, previous_sealed_secret = new.before
         from unnest($1::bigint[], $2::bytea[], $3::bytea[]) as new (id, now, before)
        where w.id = new.id`,
      [
        changed.map(({ id }) => id),
        changed.map(({ now }) => now),
        changed.map(({ before }) => before),
      ],
    );
    return done;
  });
}

/** Encrypts a secret with the first key. @returns null if nothing is to be changed */
function reseal(
  sealed: Buffer | null,
  sellerId: number,
  keys: readonly [Buffer, ...Buffer[]],
  count: SecretsRotationResult,
): Buffer | null {
  const opened = sealed && decryptWithAnyKey(keys, sellerId, sealed);
  if (sealed && !opened) count.unopened += 1;
  if (!opened || opened.key === keys[0]) return null;
  count.resealed += 1;
  return encryptSecret(keys[0], sellerId, opened.secret);
}
