import "server-only";
import type pg from "pg";
import { resealSecondFactor } from "./second-factor.ts";
import {
  encryptionKeyIdOf,
  tryReseal,
  type EncryptionKeys,
  type SecretOwner,
} from "#lib/crypto/api-key.ts";

interface SealedRow extends SecretOwner {
  place: string;
  sealed: Buffer;
  key_id: string;
}

const resealFor =
  (purpose?: SecretOwner["purpose"]) =>
  ({ sealed, key_id, ...owner }: SealedRow, keys: EncryptionKeys) =>
    tryReseal(sealed, key_id, { ...owner, ...(purpose && { purpose }) }, keys);

/** Every column that is encrypted with the encryption key, and SQL that identifies its rows. */
const SEALED = {
  api_keys: {
    table: "billing_connection",
    column: "sealed_key",
    place: "seller_id || mode",
    reseal: resealFor(),
  },
  account_tokens: {
    table: "billing_account",
    column: "sealed_key",
    place: "seller_id || mode",
    reseal: resealFor("account"),
  },
  message_account_tokens: {
    table: "message_account",
    column: "sealed_key",
    place: "seller_id || mode",
    reseal: resealFor("messages"),
  },
  webhook_secrets: {
    table: "receiver_secret",
    column: "sealed_secret",
    place: "id::text",
    reseal: resealFor("receiver"),
  },
  second_factors: {
    table: "second_factor",
    column: "sealed_secret",
    place: "user_id::text",
    reseal: ({ place, sealed, key_id }: SealedRow, keys: EncryptionKeys) =>
      resealSecondFactor({ user_id: place, sealed_secret: sealed, key_id }, keys),
  },
};

export type SealedKind = keyof typeof SEALED;
export const SEALED_KINDS = Object.keys(SEALED) as SealedKind[];

interface KeyRotationResult {
  /** Rows that were encrypted again with the current key. */
  rewrapped: number;
  /** Rows that no given key opens; they do not change. */
  unopened: number;
}

/**
 * Encrypts all secrets of a kind again with the current encryption key. Each row is changed by
 * itself, so the rotation can be stopped and run again; new secrets use the current key already.
 */
export async function rotateKeys(
  pool: pg.Pool,
  kind: SealedKind,
  keys: EncryptionKeys,
  {
    batch = 200,
    onBatch = () => {},
  }: { batch?: number; onBatch?: (so_far: KeyRotationResult) => void } = {},
): Promise<KeyRotationResult> {
  const { table, column, place, reseal } = SEALED[kind];
  const key_id = encryptionKeyIdOf(keys[0]);
  const total: KeyRotationResult = { rewrapped: 0, unopened: 0 };
  let after = "";
  for (;;) {
    const { rows } = await pool.query<SealedRow>(
      `select *, ${place} as place, ${column} as sealed from ${table}
        where key_id <> $1 and ${place} > $2 order by ${place} limit $3`,
      [key_id, after, batch],
    );
    const last = rows.at(-1);
    if (!last) return total;
    for (const row of rows) {
      const sealed = reseal(row, keys);
      if (!sealed) {
        total.unopened += 1;
        continue;
      }
      // A secret that was replaced meanwhile is encrypted with the current key already.
      const { rowCount } = await pool.query(
        `update ${table} set ${column} = $2, key_id = $3
          where ${place} = $1 and ${column} = $4`,
        [row.place, sealed, key_id, row.sealed],
      );
      total.rewrapped += rowCount ?? 0;
    }
    after = last.place;
    onBatch(total);
  }
}
