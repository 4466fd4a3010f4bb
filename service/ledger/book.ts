import { withoutQueryTimeout } from "#contract/process/database.ts";
import type { Database } from "../db/database.ts";

/**
 * Books an account's money that is not booked yet, and makes its bills, in transactions that turned
 * the feed of changes off: in all others the database does both at their end (ADR 0181).
 */
export async function bookAccount(database: Database, sellerId: number): Promise<void> {
  await database.query(withoutQueryTimeout("select book_money($1)", [sellerId]));
  await database.query(withoutQueryTimeout("select book_disputes($1)", [sellerId]));
  await database.query(withoutQueryTimeout("select issue_bills($1)", [sellerId]));
}

/**
 * Removes the ledger and the bills of a sandbox account that is being replaced; refused in any other
 * transaction.
 */
export async function clearLedger(database: Database, sellerId: number): Promise<void> {
  await database.query("delete from bill_to_send where seller_id = $1", [sellerId]);
  await database.query("delete from ledger_closing where seller_id = $1", [sellerId]);
  await database.query("delete from bill_file where seller_id = $1", [sellerId]);
  await database.query("delete from bill where seller_id = $1", [sellerId]);
  await database.query("delete from journal_line where seller_id = $1", [sellerId]);
  await database.query("delete from journal_entry where seller_id = $1", [sellerId]);
}
