import { queryRow, type Database } from "../db/database.ts";

const NOT_PAYABLE =
  "Nobody could pay: this account has no active way to pay. Set up a payment provider, or say how buyers pay you otherwise.";

/**
 * Whether the seller's links lead a buyer to anything to pay with: the sandbox in test mode, an
 * active account at a provider, or the seller's own words on how to pay otherwise.
 */
export async function payability(
  database: Database,
  sellerId: number,
  mode: "test" | "live",
): Promise<{ payable: boolean; reason: string | null }> {
  if (mode === "test") return { payable: true, reason: null };
  const found = await queryRow(
    database,
    `select 1 as found from seller s where seller_id = $1 and (pay_otherwise is not null
       or exists (select from payment_account a where a.seller_id = s.seller_id
         and a.mode = $2 and a.is_active and a.removed_at is null))`,
    [sellerId, mode],
  );
  return found ? { payable: true, reason: null } : { payable: false, reason: NOT_PAYABLE };
}
