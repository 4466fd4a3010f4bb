import "server-only";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { inClearingTransaction } from "#lib/db/pool.ts";

/**
 * Switched off, the copied records are gone at once; switched on, a copy begins anew.
 * @returns false where no key is connected, and so nothing to copy
 */
export async function switchIndex(
  pool: Pick<pg.Pool, "connect">,
  { seller_id, mode }: KeyOwner,
  is_on: boolean,
): Promise<boolean> {
  return inClearingTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update mirror
          set is_on = $3, copy = gen_random_uuid(), filled_at = null, read_at = null,
              newest = '{}', round_wanted_at = null, error = null, failures = 0,
              wait_until = case when error = 'rate_limited' then wait_until end,
              claim = null, claimed_until = null, due_at = now()
        where seller_id = $1 and mode = $2 and is_on <> $3`,
      [seller_id, mode, is_on],
    );
    if (rowCount === 1) {
      await client.query("select clear_mirror($1, $2)", [seller_id, mode]);
      await client.query("select pg_notify('mirror', '')");
      return true;
    }
    const { rows } = await client.query(
      "select 1 from mirror where seller_id = $1 and mode = $2",
      [seller_id, mode],
    );
    return rows.length > 0;
  });
}

/**
 * Begins the copy anew: what is there now is another past, and what was seen to change is none of it.
 * Harmless for a seller without a copy, or one that is switched off.
 */
export async function restartIndex(
  pool: Pick<pg.Pool, "connect">,
  { seller_id, mode }: KeyOwner,
): Promise<void> {
  // In one statement: whoever writes rows holds the copy's own, and finds another id afterwards.
  const text = `with fresh as (
       update mirror
          set copy = gen_random_uuid(), filled_at = null, read_at = null, newest = '{}',
              round_wanted_at = null, claim = null, claimed_until = null, due_at = now()
        where seller_id = $1 and mode = $2 and is_on returning seller_id, mode
     )
     select clear_mirror(seller_id, mode), pg_notify('mirror', '') from fresh`;
  await inClearingTransaction(pool, (client) => client.query(text, [seller_id, mode]));
}
