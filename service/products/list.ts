import type { Database } from "../db/database.ts";
import type { Paging } from "../http/pagination.ts";
import { countProducts, selectProducts } from "./store.ts";

export async function listProducts(database: Database, sellerId: number, paging: Paging) {
  const count = await countProducts(database, sellerId);
  const rows = await selectProducts(database, sellerId, paging);
  const results = rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }));
  return { count, results };
}
