import type { Database } from "../db/database.ts";

/**
 * Books all money of an account that is not booked, and gives it bills, for transactions that turned
 * the feed of changes off: in others the database does both at their end (ADR 0181).
 */
export async function bookAccount(database: Database, sellerId: number): Promise<void> {
  await database.query("select book_money($1)", [sellerId]);
  await database.query("select book_disputes($1)", [sellerId]);
  await database.query("select issue_bills($1)", [sellerId]);
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
