import type { Subscription } from "#contract/subscriptions.ts";
import { internationalDigits } from "#contract/phone-number.ts";
import { asciiDigits } from "#lib/text/fold-text.ts";
import type { AmountStyle } from "#lib/format/format.ts";
import type { MessageFacts, MessageWriter } from "#lib/messages/rules.ts";
import type { ToPay } from "#lib/format/format.ts";

interface NamedSubscription {
  client: Pick<Subscription["client"], "full_name">;
  product: Pick<Subscription["product"], "name" | "plan_name" | "label">;
}

interface Told {
  /** The sender and the format of amounts. */
  seller: { name: string; currency: string; amount_style: AmountStyle };
  link: string;
  to_pay: ToPay;
  /** The billing date as YYYY-MM-DD; null if unknown, like the remaining days. */
  day: string | null;
  days?: number | null;
}

/** The values of a message's placeholders; empty if unknown. */
export function messageFacts(
  writer: MessageWriter,
  { client, product }: NamedSubscription,
  { seller, link, to_pay, day, days = null }: Told,
): MessageFacts {
  return {
    name: client.full_name,
    product: product.name || writer.yourSubscription,
    plan: [product.plan_name, product.label].filter(Boolean).join(", "),
    seller: seller.name,
    link,
    amount: writer.toPay(to_pay, seller),
    date: day ? writer.date(day) : "",
    days: days === null ? "" : writer.days(days),
  };
}

/** A tel: URL with ASCII digits; null without digits. */
export function callAddress(phone: string): string | null {
  const digits = dialled(phone);
  return /\d/.test(digits) ? `tel:${digits}` : null;
}

const dialled = (phone: string) => asciiDigits(phone).replace(/[^\d+]/g, "");

interface Channel {
  app: "whatsapp" | "viber" | "sms" | "email";
  href: string;
}

/** URLs that open an app with the text (and, except in Viber, the buyer) filled in; nothing is sent. */
export function channelsFor(
  text: string,
  buyer: { phone: string; email: string; time_zone: string },
  subject: string,
): Channel[] {
  const body = encodeURIComponent(text);
  const international = internationalDigits(buyer.phone, buyer.time_zone) ?? "";
  return [
    { app: "whatsapp", href: `https://wa.me/${international}?text=${body}` },
    { app: "viber", href: `viber://forward?text=${body}` },
    // iOS needs the ampersand; other systems ignore the empty parameter before it.
    { app: "sms", href: `sms:${dialled(buyer.phone)}?&body=${body}` },
    {
      app: "email",
      href: `mailto:${encodeURIComponent(buyer.email)}?subject=${encodeURIComponent(subject)}&body=${body}`,
    },
  ];
}
