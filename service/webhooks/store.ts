import type { EventKind } from "#contract/names.ts";
import type { UpdateWebhook } from "#contract/webhooks.ts";
import { queryRow, queryRows, queryValue, type Database } from "../db/database.ts";
import type { Paging } from "../http/pagination.ts";

export interface WebhookRow {
  id: number;
  event: EventKind;
  endpoint_url: string;
  is_active: boolean;
  created_at: Date;
}

const COLUMNS = "id, event, endpoint_url, is_active, created_at";

export const countWebhooks = async (database: Database, sellerId: number) =>
  (await queryValue<number>(
    database,
    "select count(*)::int as count from webhook where seller_id = $1",
    [sellerId],
  )) ?? 0;

export const selectWebhooks = (
  database: Database,
  sellerId: number,
  { page, pageSize }: Paging,
) =>
  queryRows<WebhookRow>(
    database,
    `select ${COLUMNS} from webhook where seller_id = $1 order by id desc limit $2 offset $3`,
    [sellerId, pageSize, (page - 1) * pageSize],
  );

export async function insertWebhook(
  database: Database,
  sellerId: number,
  webhook: Omit<WebhookRow, "id"> & { sealed_secret: Buffer },
): Promise<WebhookRow> {
  const { rows } = await database.query<WebhookRow>(
    `insert into webhook (seller_id, event, endpoint_url, is_active, sealed_secret, created_at)
     values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
    [
      sellerId,
      webhook.event,
      webhook.endpoint_url,
      webhook.is_active,
      webhook.sealed_secret,
      webhook.created_at,
    ],
  );
  return rows[0] as WebhookRow;
}

/** Updates the given fields; null if the seller has no such endpoint. */
export const updateWebhookRow = (
  database: Database,
  sellerId: number,
  id: number,
  changes: UpdateWebhook,
) =>
  queryRow<WebhookRow>(
    database,
    `update webhook set event = coalesce($3, event), endpoint_url = coalesce($4, endpoint_url),
       is_active = coalesce($5, is_active)
     where seller_id = $1 and id = $2 returning ${COLUMNS}`,
    [sellerId, id, changes.event, changes.endpoint_url, changes.is_active],
  );
