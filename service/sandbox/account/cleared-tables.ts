import type { Database } from "../../db/database.ts";
import { accountTables, type AccountTable } from "./account-tables.ts";

/** Not cleared: the account itself, its catalogue, its webhook endpoints and its saved states. */
const KEPT = [
  "seller",
  "api_key",
  "product",
  "product_image",
  "plan",
  "billing_period",
  "offer",
  "webhook",
  "sandbox_state",
  "sandbox_state_part",
];

export async function clearedTables(database: Database): Promise<string[]> {
  return (await accountTables(database, KEPT)).map(({ name }) => name);
}

/** Not saved: the account and its keys, derived rows, workers' leases, and states. */
const NOT_SAVED = [
  "seller",
  "api_key",
  "subscription_tally",
  "delivery_endpoint",
  "sandbox_state",
  "sandbox_state_part",
];

/** The tables of a saved state, referencing tables first. */
export const savedTables = (database: Database): Promise<AccountTable[]> =>
  accountTables(database, NOT_SAVED);

/** The seller's columns that a state restores; the others belong to the account. */
export const SAVED_SELLER_COLUMNS = [
  "last_position",
  "last_customer_position",
  "clock_offset_ms",
  "sandbox_scenario",
] as const;
