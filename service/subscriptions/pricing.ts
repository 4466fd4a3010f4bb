import {
  discountOn,
  calculateAmount,
  type Amount,
  type Charge,
  type ListedOffer,
} from "#contract/amount.ts";

/** A period's price with all its offers and its product's VAT, as stored. */
export interface ListedPrice extends Omit<Charge, "discount"> {
  offers: ListedOffer[];
}

/** The columns of ListedPrice, over a `billing_period b` and its `product p`. */
export const LISTED_PRICE = `b.price::text as price, p.is_vat_active, p.vat_type,
  p.vat_percentage::text as vat_percentage,
  (select coalesce(json_agg(json_build_object('discount_amount', o.discount_amount::text,
     'starts_at', o.starts_at, 'valid_until', o.valid_until, 'is_active', o.is_active)), '[]')
   from offer o where o.pbp_id = b.pbp_id) as offers`;

/** @param day the seller's calendar day, YYYY-MM-DD */
export const chargeOn = ({ offers, ...price }: ListedPrice, day: string): Charge => ({
  ...price,
  discount: discountOn(offers, day),
});

export function amountDue(charge: Charge): Amount {
  const amount = calculateAmount(charge);
  if (!amount) throw new Error("A stored price, offer or VAT is not readable.");
  return amount;
}
