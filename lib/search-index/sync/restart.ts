import "server-only";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { inDeleteTransaction } from "#lib/db/pool.ts";

/** Deletes what is indexed and starts a new version of the index. Does nothing while no key is connected. */
export async function restartIndex(
  pool: Pick<pg.Pool, "connect">,
  { seller_id, mode }: KeyOwner,
): Promise<void> {
  // In one statement: a writer of rows locks the index's row and finds another version afterwards.
  const text = `with fresh as (
       update mirror
          set copy = gen_random_uuid(), filled_at = null, read_at = null, newest = '{}',
              round_wanted_at = null, claim = null, claimed_until = null, due_at = now()
        where seller_id = $1 and mode = $2 returning seller_id, mode
     )
     select clear_mirror(seller_id, mode), pg_notify('mirror', '') from fresh`;
  await inDeleteTransaction(pool, (client) => client.query(text, [seller_id, mode]));
}
