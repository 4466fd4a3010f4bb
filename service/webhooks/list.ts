import type { Database } from "../db/database.ts";
import type { Paging } from "../http/pagination.ts";
import { presentWebhook } from "./present.ts";
import { countWebhooks, selectWebhooks } from "./store.ts";

export async function listWebhooks(database: Database, sellerId: number, paging: Paging) {
  const count = await countWebhooks(database, sellerId);
  const rows = await selectWebhooks(database, sellerId, paging);
  return { count, results: rows.map(presentWebhook) };
}
