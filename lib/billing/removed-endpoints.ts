import "server-only";
import { createHash } from "node:crypto";
import type { Webhook } from "#contract/webhooks.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";

type Registered = Pick<Webhook, "id" | "endpoint_url">;

const hashOf = ({ endpoint_url }: Registered) =>
  createHash("sha256").update(endpoint_url).digest();

export async function recordRemoved(
  db: Database,
  { seller_id, mode }: KeyOwner,
  webhook: Registered,
): Promise<void> {
  await db.query(
    `insert into removed_webhook (seller_id, mode, webhook_id, address_hash)
     values ($1, $2, $3, $4)
     on conflict (seller_id, mode, webhook_id)
       do update set address_hash = excluded.address_hash, removed_at = now()`,
    [seller_id, mode, webhook.id, hashOf(webhook)],
  );
}

/** Leaves out removed endpoints, unless they were switched on since. */
export async function withoutRemoved<Row extends Registered & Pick<Webhook, "is_active">>(
  db: Database,
  { seller_id, mode }: KeyOwner,
  webhooks: readonly Row[],
): Promise<Row[]> {
  const { rows } = await db.query<{ webhook_id: string; address_hash: Buffer }>(
    `select webhook_id, address_hash from removed_webhook where seller_id = $1 and mode = $2`,
    [seller_id, mode],
  );
  const removed = new Map(rows.map((row) => [Number(row.webhook_id), row.address_hash]));
  return webhooks.filter((one) => one.is_active || !removed.get(one.id)?.equals(hashOf(one)));
}
