import type { Database } from "../db/database.ts";
import { updateSeller, type Seller } from "../sellers/store.ts";
import { lockVerification, updateState } from "./store.ts";

interface Decision {
  /** The operator's words to the business. */
  note?: string | null;
  at: Date;
}

/** Verifies an account, so that all of the API works with its keys. */
export async function approveAccount(
  database: Database,
  sellerId: number,
  { at }: Decision,
): Promise<Seller> {
  await lockVerification(database, sellerId);
  await updateState(database, sellerId, { state: "approved", note: null, at });
  return updateSeller(database, sellerId, { kyc_verified: true });
}

/**
 * Suspends a verified account: its API is limited as before the verification, and its links take no
 * payments.
 */
export async function suspendAccount(
  database: Database,
  sellerId: number,
  { note = null, at }: Decision,
): Promise<Seller> {
  await lockVerification(database, sellerId);
  await updateState(database, sellerId, { state: "returned", note, at });
  return updateSeller(database, sellerId, { kyc_verified: false });
}
