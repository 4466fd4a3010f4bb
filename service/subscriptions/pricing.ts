import { workOutAmount, type Amount, type Charge } from "#contract/amount.ts";

/** What the checkout asks for, of a period as rows hold it. */
export function amountDue(charge: Charge): Amount {
  const amount = workOutAmount(charge);
  if (!amount) throw new Error("A stored price, offer or VAT is not readable.");
  return amount;
}

/** The VAT inside an amount that was taken, maybe at a price that has changed since; null for none. */
export function vatWithin(taken: string, charge: Charge): string | null {
  const today = amountDue(charge);
  if (taken === today.total) return today.vat;
  return amountDue({ ...charge, price: taken, discount: null, vat_type: "inclusive" }).vat;
}
