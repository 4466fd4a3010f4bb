import { randomBytes } from "node:crypto";
import type pg from "pg";
import { withFeed } from "#lib/billing/change-client.ts";
import { BillingClient } from "#lib/billing/client.ts";
import { openConnection, saveApiKey } from "#lib/billing/connection.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";

const keys = [randomBytes(32)] as const;

/** A seller of the dashboard who is connected with this key, and whose index is empty. */
export async function createBenchOwner(pool: pg.Pool, apiKey: string): Promise<KeyOwner> {
  const { rows } = await pool.query<{ id: string }>(
    "insert into seller (name, time_zone) values ('Bench', 'Asia/Kathmandu') returning id",
  );
  const owner: KeyOwner = { seller_id: rows[0]?.id ?? "", mode: "test" };
  await saveApiKey(pool, owner, { apiKey, state: "good", user_id: null }, keys);
  return owner;
}

export const clientOfBench = (pool: pg.Pool, owner: KeyOwner, port: number) =>
  withFeed(
    new BillingClient({
      baseUrl: `http://127.0.0.1:${port}`,
      connect: () => openConnection(pool, owner, keys),
    }),
  );
