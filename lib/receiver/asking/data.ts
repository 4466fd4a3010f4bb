import "server-only";
import type pg from "pg";
import type { KeyOwner } from "#lib/billing/api-key.ts";
import { failureOf, isPassing } from "#lib/billing/errors.ts";
import { openClient } from "#lib/billing/open-client.ts";
import { database } from "#lib/db/pool.ts";
import { billingUrl, encryptionKeysOf, env } from "#lib/env.ts";
import { logLine } from "#lib/log.ts";
import { registerReceiver, type Means } from "../registration/data.ts";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const isHere = (url: string) => LOOPBACK.test(new URL(url).hostname);

/** For the keeper of the copies: whoever's copy had its turn has a key that the service knows. */
export async function askForReceiver(owner: KeyOwner): Promise<void> {
  const { NEXTAUTH_URL: baseUrl } = env();
  const service = billingUrl(owner.mode);
  // A service elsewhere cannot reach an address of this machine.
  if (service === null || (isHere(baseUrl) && !isHere(service))) return;
  const means = { billing: openClient(owner), keys: encryptionKeysOf(env()), baseUrl };
  await askOnce(database(), owner, means);
}

/**
 * Asks the service to send everything here, once for each key that works: what it refuses is for a
 * person to do, what it could not answer is asked after the copy's next turn.
 */
export async function askOnce(pool: pg.Pool, owner: KeyOwner, means: Means): Promise<void> {
  const { seller_id, mode } = owner;
  const { rowCount } = await pool.query(
    `update receiver r set asked_at = clock_timestamp() from billing_connection c
      where r.seller_id = $1 and r.mode = $2 and c.seller_id = r.seller_id and c.mode = r.mode
        and c.state = 'good' and coalesce(greatest(r.registered_at, r.asked_at) < c.set_at, true)`,
    [seller_id, mode],
  );
  if (rowCount === 0) return;
  const failure = await registerReceiver(pool, owner, means).then(() => null, failureOf);
  if (failure === null) return;
  logLine(`receiver: the service was asked in vain to register it (${failure.kind})`);
  if (!isPassing(failure)) return;
  await pool.query("update receiver set asked_at = null where seller_id = $1 and mode = $2", [
    seller_id,
    mode,
  ]);
}
