import type { Database } from "../db/database.ts";
import type { BillingDetails } from "../subscriptions/store.ts";

export interface Buyer {
  seller_id: number;
  phone: string;
  full_name: string;
  email: string;
  address: string;
  billing: Partial<BillingDetails> | null;
  created_at: Date;
}

/**
 * Matches a buyer of that seller by phone, or creates one, and locks the row, so that requests
 * for one buyer run one after the other. The profile keeps the latest of what was given.
 */
export async function matchBuyer(database: Database, buyer: Buyer) {
  const { rows } = await database.query<{ id: number; billing: BillingDetails | null }>(
    `insert into customer as known
       (seller_id, phone_key, buyer_phone, full_name, buyer_email, address, billing, created_at)
     values ($1, $2, $3, $4, $5, $6, '{"pan_vat": ""}' || $7::jsonb, $8)
     on conflict (seller_id, phone_key) do update set full_name = excluded.full_name,
       buyer_email = excluded.buyer_email, address = excluded.address,
       billing = coalesce(coalesce(known.billing, '{"pan_vat": ""}') || $7::jsonb, known.billing)
     returning id, billing`,
    [
      buyer.seller_id,
      phoneKey(buyer.phone),
      buyer.phone,
      buyer.full_name,
      buyer.email,
      buyer.address,
      buyer.billing,
      buyer.created_at,
    ],
  );
  return rows[0] as { id: number; billing: BillingDetails | null };
}

/** ADR 0004: "+977 980-000 0001", "009779800000001" and "9800000001" are one buyer. */
export function phoneKey(phone: string): string {
  const digits = phone.replace(/\D/g, "").replace(/^00/, "");
  return /^977\d{10}$/.test(digits) ? digits.slice(3) : digits;
}
