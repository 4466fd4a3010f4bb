import { EVENT_KINDS } from "#contract/names.ts";
import { queryValue, type Database } from "../db/database.ts";
import { encryptSecret, newSecret } from "../webhooks/secret.ts";
import { insertWebhook } from "../webhooks/store.ts";

/** One-time purchases, newest first; at most a hundred, enough to try them out. */
export async function selectOneTimePurchases(database: Database, sellerId: number) {
  const { rows } = await database.query<{ subscription_id: string }>(
    `select subscription_id from subscription
     where seller_id = $1 and status = 'active' and is_one_time
     order by position desc limit 100`,
    [sellerId],
  );
  return rows.map((row) => row.subscription_id);
}

export const selectHiddenPeriod = (database: Database, sellerId: number) =>
  queryValue<string>(
    database,
    `select pbp_id from billing_period where seller_id = $1 and (is_archived or not is_current)
     order by pbp_id limit 1`,
    [sellerId],
  );

interface RegisteredEndpoints {
  sellerId: number;
  secretsKey: Buffer;
  branches: string[];
  createdAt: Date;
}

/** Inserts a paused endpoint for each branch, and an active one for the shop itself. */
export async function insertSeedWebhooks(
  database: Database,
  { sellerId, secretsKey, branches, createdAt }: RegisteredEndpoints,
): Promise<void> {
  const addresses = branches.map(
    (place) => `https://branches.phewa.example/${place.toLowerCase()}/duebook`,
  );
  const shop = "https://shop.phewa.example/duebook";
  for (const endpoint_url of [...addresses, shop])
    for (const event of EVENT_KINDS)
      await insertWebhook(database, sellerId, {
        event,
        endpoint_url,
        is_active: endpoint_url === shop,
        created_at: createdAt,
        sealed_secret: encryptSecret(secretsKey, sellerId, newSecret()),
      });
}

/** Pauses the generated endpoints, because they do not exist and nothing must be sent to them. */
export const pauseSeedWebhooks = (database: Database, sellerId: number) =>
  database.query("update webhook set is_active = false where seller_id = $1", [sellerId]);
