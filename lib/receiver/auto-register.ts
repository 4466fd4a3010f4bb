import "server-only";
import type pg from "pg";
import { isLoopback } from "#contract/process/loopback.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { failureOf, isPassing } from "#lib/failure.ts";
import { openClient } from "#lib/billing/open-client.ts";
import { database } from "#lib/db/pool.ts";
import { billingUrl, encryptionKeysOf, env } from "#lib/env.ts";
import { logLine } from "#lib/log.ts";
import { registerEndpoint, type RegisterContext } from "./register.ts";

const isHere = (url: string) => isLoopback(new URL(url).hostname);

/** For the keeper of the copies: whoever's copy had its turn has a key that the service knows. */
export async function autoRegister(owner: KeyOwner): Promise<void> {
  const { NEXTAUTH_URL: baseUrl } = env();
  const service = billingUrl(owner.mode);
  // A service elsewhere cannot reach an address of this machine.
  if (service === null || (isHere(baseUrl) && !isHere(service))) return;
  const context = { billing: openClient(owner), keys: encryptionKeysOf(env()), baseUrl };
  await registerOncePerKey(database(), owner, context);
}

/**
 * Asks the service to send everything here, once for each key that works: what it refuses is for a
 * person to do, what it could not answer, or nobody heard, is asked after the copy's next turn.
 */
export async function registerOncePerKey(pool: pg.Pool, owner: KeyOwner, context: RegisterContext): Promise<void> {
  const { seller_id, mode } = owner;
  const { rows } = await pool.query<{ asked_at: string }>(
    `select clock_timestamp()::text as asked_at
       from receiver r join billing_connection c using (seller_id, mode)
      where r.seller_id = $1 and r.mode = $2 and c.state = 'good'
        -- EventToRegister that a person registered, and paused since, stays as they left it.
        and coalesce(greatest(r.registered_at, r.asked_at) < c.set_at, r.registrations = '{}')
        -- While somebody is at it, or for as long as one who died holds it.
        and coalesce(r.busy_until < clock_timestamp(), true)`,
    [seller_id, mode],
  );
  const [asked] = rows;
  if (!asked) return;
  const failure = await registerEndpoint(pool, owner, context).then(() => null, failureOf);
  if (failure) {
    logLine(`receiver: the service was asked in vain to register it (${failure.kind})`);
    if (isPassing(failure)) return;
  }
  await pool.query("update receiver set asked_at = $3 where seller_id = $1 and mode = $2", [
    seller_id,
    mode,
    asked.asked_at,
  ]);
}
