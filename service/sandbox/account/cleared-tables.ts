import type { Database } from "../../db/database.ts";
import { accountTables, type AccountTable } from "./account-tables.ts";

/** The account itself, what it sells, where it wants its events, and its saved states. */
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

/** All else, in an order in which no row is still needed. */
export async function clearedTables(database: Database): Promise<string[]> {
  return (await accountTables(database, KEPT)).map(({ name }) => name);
}

/** The account itself and its keys, what follows from other rows, what workers hold, and the states. */
const NOT_SAVED = [
  "seller",
  "api_key",
  "subscription_tally",
  "delivery_endpoint",
  "sandbox_state",
  "sandbox_state_part",
];

/** What a saved state holds: all else with a seller's rows, those that refer to others first. */
export const savedTables = (database: Database): Promise<AccountTable[]> =>
  accountTables(database, NOT_SAVED);

/** Of the seller's own row: what goes back with a state. The rest is the account's, not the data's. */
export const SAVED_OF_SELLER = [
  "last_position",
  "last_customer_position",
  "clock_offset_ms",
  "sandbox_scenario",
] as const;
