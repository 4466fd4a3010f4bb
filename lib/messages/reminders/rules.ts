import type { Language } from "#lib/i18n/languages.ts";
import { languageOf, OURS, type MessageKind, type Messages } from "../rules.ts";

/** What stands, and so what a reminder says. */
export const REMINDER_KINDS = ["soon", "due", "grace", "waiting", "failed"] as const;
export type ReminderKind = (typeof REMINDER_KINDS)[number];

/** What carries a text; the others take the text of any. */
export const REMINDER_CHANNELS = ["any", "whatsapp", "viber", "sms", "mail"] as const;
export type ReminderChannel = (typeof REMINDER_CHANNELS)[number];

/** By kind and language: a text for every channel, and some for one alone. */
export type Reminders = Record<
  ReminderKind,
  Record<Language, { any: string } & Partial<Record<ReminderChannel, string>>>
>;

/** To begin with. They are the buyers' to read, so each is there in both languages. */
export const OUR_REMINDERS: Record<ReminderKind, Record<Language, string>> = {
  soon: {
    en: "Hello {name},\n{product} ({plan}) renews on {date}. You can pay {amount} here:\n{link}\n{seller}",
    ne: "नमस्ते {name} जी,\n{product} ({plan}) {date} मा नवीकरण हुन्छ। {amount} यहाँ तिर्न सक्नुहुन्छ:\n{link}\n{seller}",
  },
  due: {
    en: "Hello {name},\nthe payment of {amount} for {product} ({plan}) was due on {date}. You can pay here:\n{link}\n{seller}",
    ne: "नमस्ते {name} जी,\n{product} ({plan}) को {amount} तिर्ने मिति {date} थियो। यहाँ तिर्न सक्नुहुन्छ:\n{link}\n{seller}",
  },
  grace: {
    en: "Hello {name},\n{product} ({plan}) ends in a few days, because the payment of {amount} that was due on {date} has not come. To keep it, pay here:\n{link}\n{seller}",
    ne: "नमस्ते {name} जी,\n{date} मा तिर्नुपर्ने {amount} नआएकाले {product} ({plan}) केही दिनमै बन्द हुन्छ। जारी राख्न यहाँ तिर्नुहोस्:\n{link}\n{seller}",
  },
  waiting: {
    en: "Hello {name},\n{product} ({plan}) starts as soon as {amount} is paid here:\n{link}\n{seller}",
    ne: "नमस्ते {name} जी,\n{amount} यहाँ तिर्नेबित्तिकै {product} ({plan}) सुरु हुन्छ:\n{link}\n{seller}",
  },
  failed: {
    en: "Hello {name},\nthe payment of {amount} for {product} ({plan}) did not go through. You can try again here:\n{link}\n{seller}",
    ne: "नमस्ते {name} जी,\n{product} ({plan}) को {amount} भुक्तानी भएन। यहाँ फेरि प्रयास गर्न सक्नुहुन्छ:\n{link}\n{seller}",
  },
};

/** The seller's own link messages say the same in one language; a reminder of theirs says it better. */
const ALSO: Partial<Record<ReminderKind, MessageKind>> = {
  soon: "renewal",
  waiting: "first_payment",
};

export interface OwnReminder {
  kind: ReminderKind;
  language: Language;
  channel: ReminderChannel;
  body: string;
}

/** Ours, instead of them the seller's link messages where they wrote some, instead of them their reminders. */
export function remindersOf(own: readonly OwnReminder[], messages: Messages): Reminders {
  const of = (kind: ReminderKind, language: Language) => {
    const also = ALSO[kind];
    const body = also && messages[also];
    const isTheirs = body && languageOf(body) === language && body !== OURS[language][also];
    const texts = own.filter((one) => one.kind === kind && one.language === language);
    return {
      any: isTheirs ? body : OUR_REMINDERS[kind][language],
      ...Object.fromEntries(texts.map(({ channel, body: text }) => [channel, text])),
    };
  };
  return Object.fromEntries(
    REMINDER_KINDS.map((kind) => [kind, { en: of(kind, "en"), ne: of(kind, "ne") }]),
  ) as Reminders;
}

/** The text for a channel, else that for any. */
export function reminderFor(
  reminders: Reminders,
  kind: ReminderKind,
  language: Language,
  channel: ReminderChannel,
): string {
  const texts = reminders[kind][language];
  return texts[channel] ?? texts.any;
}

/** A name that is written in Devanagari is read in Nepali. */
export const languageOfName = (name: string): Language =>
  /\p{Script=Devanagari}/u.test(name) ? "ne" : "en";
