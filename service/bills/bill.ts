import type { BillKind, PaymentMethod } from "#contract/names.ts";

/** What a bill says besides its number and money, fixed when it was issued. */
export interface BillFacts {
  /** The seller's time zone, which determines the days on the bill. */
  time_zone: string;
  seller: Party;
  buyer: Party;
  product: string;
  plan: string;
  interval: { type: string; count: number };
  /** YYYY-MM-DD; null for a one-time purchase. */
  period_start: string | null;
  method: PaymentMethod;
  /** Decimal texts: the price of the billing period, and the discount. */
  price: string;
  discount: string | null;
  vat_percentage: string | null;
  vat_is_included: boolean;
  /**
   * Only for a credit or debit note: number and time of the bill that it corrects, and what the
   * ledger booked.
   */
  corrects?: string;
  corrected_at?: string;
  cause?: "reversal" | "refund" | "provider_refund" | "refund_failed";
}

interface Party {
  name: string;
  pan: string | null;
  address: string | null;
}

/** A numbered receipt, VAT bill, credit or debit note. */
export interface Bill {
  bill_id: string;
  kind: BillKind;
  fiscal_year: string;
  /** The whole number, with its prefix, kind and fiscal year. */
  label: string;
  currency: string;
  /** Decimal texts; the tax is inside the amount. */
  amount: string;
  vat: string | null;
  issued_at: Date;
  /** The code in the address of the page that confirms the bill. */
  code: string;
  facts: BillFacts;
}
