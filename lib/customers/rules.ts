import type { Customer } from "#contract/customers.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { addDecimals, isDecimal } from "#lib/decimal.ts";
import { asciiDigits } from "#lib/fold-text.ts";

/** Fewer digits than this tie nothing to anybody. */
const FEWEST_DIGITS = 7;

/**
 * A phone number without what people write differently: spaces and dashes, Nepal's country code,
 * the 0 before an area, Devanagari digits. Empty when it has too few digits to tell buyers apart.
 */
export function phoneKey(phone: string): string {
  const national = nationalDigits(phone);
  return national.length < FEWEST_DIGITS ? "" : national;
}

/** The same for a part of a number, as somebody searches for it. */
export function nationalDigits(phone: string): string {
  const digits = asciiDigits(phone).replace(/\D/g, "").replace(/^0+/, "");
  // Nepali mobile numbers begin with 977 too; only what is left of one would be too short.
  return digits.replace(/^977(?=\d{8,11}$)/, "").replace(/^0+/, "");
}

/** Whether two numbers are one buyer's, however they are written. */
export function isSamePhone(one: string, other: string): boolean {
  const key = phoneKey(one);
  return key !== "" && key === phoneKey(other);
}

/**
 * The country code and the number, digits only, as WhatsApp and Viber want them; null when the
 * country is not known. A seller in Nepal means a Nepali mobile number by ten digits that begin with 9.
 */
export function internationalDigits(phone: string, timeZone: string): string | null {
  const written = asciiDigits(phone).trim();
  const abroad = /^(?:\+|00)(.*)$/.exec(written)?.[1]?.replace(/\D/g, "") ?? "";
  if (/^[1-9]\d{6,14}$/.test(abroad)) return abroad;
  const isNepal = timeZone === "Asia/Kathmandu" || timeZone === "Asia/Katmandu";
  const key = phoneKey(written);
  return isNepal && /^9\d{9}$/.test(key) ? `977${key}` : null;
}

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
