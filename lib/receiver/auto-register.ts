import "server-only";
import type pg from "pg";
import { isLoopback } from "#contract/process/network.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { failureOf, isTemporaryFailure } from "#lib/failure.ts";
import { openClient } from "#lib/billing/open-client.ts";
import { database } from "#lib/db/pool.ts";
import { billingUrl, encryptionKeysOf, env } from "#lib/env.ts";
import { logLine } from "#lib/log.ts";
import { RECEIVER_LEASE, registerEndpoint, type RegisterContext } from "./register.ts";

const isHere = (url: string) => isLoopback(new URL(url).hostname);

/**
 * Registers the receiver; the sync job calls this after a slice, which shows that the key works.
 */
export async function autoRegister(owner: KeyOwner): Promise<void> {
  const { NEXTAUTH_URL: baseUrl } = env();
  const service = billingUrl(owner.mode);
  // A remote service cannot reach a loopback address.
  if (service === null || (isHere(baseUrl) && !isHere(service))) return;
  const context = { billing: openClient(owner), keys: encryptionKeysOf(env()), baseUrl };
  await registerOncePerKey(database(), owner, context);
}

/**
 * Registers the receiver at the service once for each working key. A refusal is left to a user;
 * after a failure that may pass, the next sync slice tries again.
 */
export async function registerOncePerKey(
  pool: pg.Pool,
  owner: KeyOwner,
  context: RegisterContext,
): Promise<void> {
  const { seller_id, mode } = owner;
  const { rows } = await pool.query<{ asked_at: string }>(
    `select clock_timestamp()::text as asked_at
       from receiver r join billing_connection c using (seller_id, mode)
      where r.seller_id = $1 and r.mode = $2 and c.state = 'good'
        -- A user registered it and paused it since: leave it so.
        and coalesce(greatest(r.registered_at, r.asked_at) < c.set_at, r.registrations = '{}')
        -- No other registration holds the lease.
        and ${RECEIVER_LEASE.isFree("r")}`,
    [seller_id, mode],
  );
  const [asked] = rows;
  if (!asked) return;
  const failure = await registerEndpoint(pool, owner, context).then(() => null, failureOf);
  if (failure) {
    logLine(`receiver: the service did not register it (${failure.kind})`);
    if (isTemporaryFailure(failure)) return;
  }
  await pool.query("update receiver set asked_at = $3 where seller_id = $1 and mode = $2", [
    seller_id,
    mode,
    asked.asked_at,
  ]);
}
