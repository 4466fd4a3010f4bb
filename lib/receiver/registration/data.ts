import "server-only";
import type pg from "pg";
import { EVENT_KINDS } from "#contract/events.ts";
import type { Webhook } from "#contract/webhooks.ts";
import { orAbsent } from "#lib/billing/absence.ts";
import type { EncryptionKeys, KeyOwner } from "#lib/billing/api-key.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { BillingError } from "#lib/billing/errors.ts";
import { addSecret } from "#lib/billing/receiver-secrets.ts";
import { registerOnce } from "#lib/billing/registrations.ts";
import { inTransaction } from "#lib/db/pool.ts";
import { message } from "#lib/i18n/message.ts";
import type { Registration } from "../queries.ts";
import { receiverUrl } from "../rules.ts";

interface Means {
  billing: BillingClient;
  keys: EncryptionKeys;
  baseUrl: string;
}

/**
 * Has every kind of event sent to the receiver, and keeps the secrets. What is registered already is
 * taken over; whoever presses twice, in whichever tab, makes nothing twice.
 * @throws BillingError `not_connected`, `conflict` while another press is at it, or the service's
 */
export function registerReceiver(
  pool: pg.Pool,
  owner: KeyOwner,
  means: Means,
): Promise<Registration> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ token: string }>(
      `select token from receiver where seller_id = $1 and mode = $2 for no key update skip locked`,
      [owner.seller_id, owner.mode],
    );
    const [receiver] = rows;
    if (!receiver) throw await absenceOf(client, owner);
    const endpoint_url = receiverUrl(receiver.token, means.baseUrl);
    const done: Registration = { verified: [], without_secret: [] };
    for (const event of EVENT_KINDS) {
      const isKnown = await registerOne(pool, owner, { ...means, event, endpoint_url });
      done[isKnown ? "verified" : "without_secret"].push(event);
    }
    await client.query(
      "update receiver set registered_at = now() where seller_id = $1 and mode = $2",
      [owner.seller_id, owner.mode],
    );
    return done;
  });
}

async function absenceOf(client: pg.PoolClient, { seller_id, mode }: KeyOwner) {
  const { rows } = await client.query(
    "select 1 from receiver where seller_id = $1 and mode = $2",
    [seller_id, mode],
  );
  return new BillingError(
    rows.length > 0
      ? { kind: "conflict", detail: message("receiver.underWay") }
      : { kind: "not_connected" },
  );
}

interface One extends Means {
  event: string;
  endpoint_url: string;
}

/** @returns whether its deliveries can be verified */
async function registerOne(
  pool: pg.Pool,
  owner: KeyOwner,
  { billing, keys, event, endpoint_url }: One,
): Promise<boolean> {
  const { webhook, secret } = await registerOnce(billing, { event, endpoint_url });
  if (!webhook.is_active)
    await billing.updateWebhook(webhook.id, { event, endpoint_url, is_active: true });
  const hasSecret = secret === null && (await hasSecretOf(pool, owner, webhook));
  if (hasSecret) return true;
  // A secret is shown once: another one takes its place, as nobody but this address needs it.
  const given = secret ?? (await rotate(billing, webhook));
  if (given === null) return false;
  // Each at once: what a later step refuses must not lose a secret that nobody tells again.
  return addSecret(pool, owner, { secret: given, webhook_id: webhook.id, event }, keys);
}

async function hasSecretOf(pool: pg.Pool, owner: KeyOwner, { id }: Webhook): Promise<boolean> {
  const { rows } = await pool.query(
    `select 1 from receiver_secret where seller_id = $1 and mode = $2 and webhook_id = $3
        and ends_at is null`,
    [owner.seller_id, owner.mode, id],
  );
  return rows.length > 0;
}

async function rotate(billing: BillingClient, { id }: Webhook): Promise<string | null> {
  const rotated = await orAbsent(billing, () => billing.deliveries.rotateSecret(id));
  return rotated?.secret ?? null;
}
