import type { Customer } from "#contract/customers.ts";
import type { ToPay } from "#lib/format/format.ts";
import { sumToPay } from "#lib/money/debt.ts";
import { isDecimal } from "#lib/format/decimal.ts";
import { asciiDigits } from "#lib/text/fold-text.ts";
import { internationalDigits } from "#contract/phone-number.ts";

export const MAX_CUSTOMER_NOTE_LENGTH = 2_000;
export const MAX_CUSTOMER_NOTES = 200;

export interface CustomerNote {
  id: string;
  text: string;
  /** ISO 8601. */
  at: string;
  person_name: string;
  may_remove: boolean;
}

export interface CustomerContact {
  kind: "call" | "whatsapp" | "viber" | "sms" | "email";
  href: string;
}

/** URLs that open a call or a conversation in the user's own apps; nothing is sent. */
export function contactsOf(
  { buyer_phone, buyer_email }: Pick<Customer, "buyer_phone" | "buyer_email">,
  timeZone: string,
): CustomerContact[] {
  const international = internationalDigits(buyer_phone, timeZone);
  const digits = asciiDigits(buyer_phone).replace(/\D/g, "");
  const number = international ? `+${international}` : digits;
  const contacts: CustomerContact[] = [];
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

interface CustomerCharge extends ToPay {
  /** The label of the billing period. */
  label: string;
  count: number;
}

/** Sums the charges by currency and billing period; ignores amounts that are not numbers. */
export function sumCharges(asked: (ToPay & { label: string })[]): CustomerCharge[] {
  const numbers = asked.filter(({ amount }) => isDecimal(amount));
  const alike = Map.groupBy(numbers, ({ currency, label }) =>
    JSON.stringify([currency, label]),
  );
  return [...alike.values()].flatMap((each) =>
    sumToPay(each).map((sum) => ({ ...sum, label: each[0]?.label ?? "", count: each.length })),
  );
}
