import type { Customer } from "#contract/customers.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { addDecimals, isDecimal } from "#lib/decimal.ts";
import { asciiDigits } from "#lib/fold-text.ts";
import { internationalDigits } from "#lib/phone.ts";

export interface Contact {
  kind: "call" | "whatsapp" | "viber" | "sms" | "email";
  href: string;
}

/** Addresses that open a call or a conversation in somebody's own app; nothing is sent. */
export function contactsOf(
  { buyer_phone, buyer_email }: Pick<Customer, "buyer_phone" | "buyer_email">,
  timeZone: string,
): Contact[] {
  const international = internationalDigits(buyer_phone, timeZone);
  const digits = asciiDigits(buyer_phone).replace(/\D/g, "");
  const number = international ? `+${international}` : digits;
  const contacts: Contact[] = [];
  if (number) contacts.push({ kind: "call", href: `tel:${number}` });
  if (international) {
    contacts.push({ kind: "whatsapp", href: `https://wa.me/${international}` });
    contacts.push({ kind: "viber", href: `viber://chat?number=%2B${international}` });
  }
  if (number) contacts.push({ kind: "sms", href: `sms:${number}` });
  if (buyer_email.includes("@"))
    contacts.push({ kind: "email", href: `mailto:${encodeURIComponent(buyer_email)}` });
  return contacts;
}

export interface Charge {
  currency: string;
  /** The label of the period that each is for. */
  label: string;
  amount: string;
  count: number;
}

type Priced = { product: Pick<Subscription["product"], "price" | "currency" | "label"> };

/** What these cost together, apart for each currency and period; a price that is no number is left out. */
export function sumCharges(subscriptions: Priced[]): Charge[] {
  const charges = new Map<string, Charge>();
  for (const { product } of subscriptions) {
    const { price, currency, label } = product;
    if (!isDecimal(price)) continue;
    const key = JSON.stringify([currency, label]);
    const { amount, count } = charges.get(key) ?? { amount: "0", count: 0 };
    const sum = addDecimals(amount, price);
    charges.set(key, { currency, label, amount: sum, count: count + 1 });
  }
  return [...charges.values()];
}
