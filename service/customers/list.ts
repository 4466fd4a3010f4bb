import type { Database } from "../db/database.ts";
import type { Paging } from "../http/pagination.ts";
import { presentCustomer } from "./present.ts";
import { countCustomers, selectCustomers } from "./store.ts";

export async function listCustomers(database: Database, sellerId: number, paging: Paging) {
  const count = await countCustomers(database, sellerId);
  const rows = await selectCustomers(database, sellerId, paging, count);
  return { count, results: rows.map(presentCustomer) };
}
