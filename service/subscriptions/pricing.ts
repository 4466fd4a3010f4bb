import {
  discountOn,
  calculateAmount,
  type Amount,
  type Charge,
  type ListedOffer,
} from "#contract/amount.ts";
import { queryRow, type Database } from "../db/database.ts";

/** A period's price, VAT and all its offers, as stored. */
interface ListedPrice extends Omit<Charge, "discount"> {
  offers: ListedOffer[];
}

/**
 * The price of a billing period of the seller, which stays as it is once the period is sold (ADR
 * 0181). Everything that shows or charges an amount begins here.
 */
export async function selectListedPrice(
  database: Database,
  sellerId: number,
  pbpId: string,
): Promise<ListedPrice> {
  const price = await queryRow<ListedPrice>(
    database,
    `select b.price::text as price, b.is_vat_active, b.vat_type,
       b.vat_percentage::text as vat_percentage,
       (select coalesce(json_agg(json_build_object('discount_amount', o.discount_amount::text,
          'starts_at', o.starts_at, 'valid_until', o.valid_until, 'is_active', o.is_active)), '[]')
        from offer o where o.seller_id = $1 and o.pbp_id = b.pbp_id) as offers
     from billing_period b where b.seller_id = $1 and b.pbp_id = $2`,
    [sellerId, pbpId],
  );
  if (!price) throw new Error("There is no such billing period.");
  return price;
}

/** @param day the seller's calendar day, YYYY-MM-DD */
export function amountOn({ offers, ...price }: ListedPrice, day: string): Amount {
  const amount = calculateAmount({ ...price, discount: discountOn(offers, day) });
  if (!amount) throw new Error("A stored price, offer or VAT is not readable.");
  return amount;
}
