import type { Customer } from "#contract/customers.ts";
import type { Database } from "../db/database.ts";
import { notFound } from "../http/errors.ts";
import { readRecordId } from "../http/record-id.ts";
import { presentCustomer } from "./present.ts";
import { selectCustomer } from "./store.ts";

/** @throws 404 for an unknown or malformed id, and for another seller's */
export async function getCustomer(
  database: Database,
  sellerId: number,
  customerId: string,
): Promise<Customer> {
  const id = readRecordId(customerId);
  const row = id === null ? null : await selectCustomer(database, sellerId, id);
  if (!row) throw notFound();
  return presentCustomer(row);
}
