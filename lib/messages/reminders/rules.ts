import { isLanguage, LANGUAGE_NAMES, LANGUAGES, type Language } from "#lib/i18n/languages.ts";
import { message } from "#lib/i18n/message.ts";
import { messageProblem, textProblem } from "../rules.ts";

/** Kinds of reminders, by the subscription's state. */
export const REMINDER_KINDS = ["waiting", "soon", "due", "grace", "failed"] as const;
export type ReminderKind = (typeof REMINDER_KINDS)[number];

/** Channels with a text of their own; others use `any`. */
export type ReminderChannel = "any" | "whatsapp" | "viber" | "sms" | "mail";

/** Texts of each kind: for apps and email, for SMS, and an email subject. */
export const REMINDER_FORMS = ["any", "sms", "subject"] as const;
export type ReminderForm = (typeof REMINDER_FORMS)[number];

type Part = ReminderChannel | ReminderForm;

type ReminderTexts = Record<ReminderForm, string> & Partial<Record<Part, string>>;

/**
 * The texts by kind and language: one for any channel, and those of single channels. In a language that
 * the seller added they may be empty.
 */
export type Reminders = Record<
  ReminderKind,
  Record<Language, ReminderTexts> & Record<string, ReminderTexts | undefined>
>;

/** A language in which a seller writes, by its BCP 47 tag and its own name. */
export interface SellerLanguage {
  code: string;
  name: string;
}

export const OUR_LANGUAGES: SellerLanguage[] = LANGUAGES.map((code) => ({
  code,
  name: LANGUAGE_NAMES[code],
}));

/** A seller's texts and the languages in which they write, Duebook's languages first. */
export interface SellerTexts {
  reminders: Reminders;
  languages: SellerLanguage[];
}

type Ours = Record<ReminderForm, string>;

const NO_TEXTS: Ours = { any: "", sms: "", subject: "" };

/** The default text; empty in a language that the seller added. */
export const ourText = (kind: ReminderKind, language: string, form: ReminderForm): string =>
  isLanguage(language) ? DEFAULT_REMINDERS[kind][language][form] : "";

/** Default texts, in both languages because buyers read them. */
export const DEFAULT_REMINDERS: Record<ReminderKind, Record<Language, Ours>> = {
  waiting: {
    en: {
      any: "Hello {name},\n{product} ({plan}) starts as soon as {amount} is paid here:\n{link}\n{seller}",
      sms: "{product}: pay {amount} to start: {link} {seller}",
      subject: "Your payment starts {product}",
    },
    ne: {
      any: "नमस्ते {name} जी,\n{amount} यहाँ तिर्नेबित्तिकै {product} ({plan}) सुरु हुन्छ:\n{link}\n{seller}",
      sms: "{product}: {amount} तिरेपछि सुरु हुन्छ {link} {seller}",
      subject: "भुक्तानीपछि सुरु हुन्छ: {product}",
    },
  },
  soon: {
    en: {
      any: "Hello {name},\n{product} ({plan}) renews on {date}. You can pay {amount} here:\n{link}\n{seller}",
      sms: "{product} renews on {date}. Pay {amount}: {link} {seller}",
      subject: "{product} renews on {date}",
    },
    ne: {
      any: "नमस्ते {name} जी,\n{product} ({plan}) {date} मा नवीकरण हुन्छ। {amount} यहाँ तिर्न सक्नुहुन्छ:\n{link}\n{seller}",
      sms: "{product}: {date} सम्म {amount} {link} {seller}",
      subject: "नवीकरण {date}: {product}",
    },
  },
  due: {
    en: {
      any: "Hello {name},\nthe payment of {amount} for {product} ({plan}) was due on {date}. You can pay here:\n{link}\n{seller}",
      sms: "{product}: {amount} was due on {date}. Pay: {link} {seller}",
      subject: "Payment for {product} is due",
    },
    ne: {
      any: "नमस्ते {name} जी,\n{product} ({plan}) को {amount} तिर्ने मिति {date} थियो। यहाँ तिर्न सक्नुहुन्छ:\n{link}\n{seller}",
      sms: "{product}: {amount} बाँकी छ {link} {seller}",
      subject: "भुक्तानी बाँकी: {product}",
    },
  },
  grace: {
    en: {
      any: "Hello {name},\n{product} ({plan}) ends in {days}, because the payment of {amount} that was due on {date} has not come. To keep it, pay here:\n{link}\n{seller}",
      sms: "{product} ends in {days}. To keep it, pay {amount}: {link} {seller}",
      subject: "{product} ends soon",
    },
    ne: {
      any: "नमस्ते {name} जी,\n{date} मा तिर्नुपर्ने {amount} नआएकाले {product} ({plan}) {days}मा बन्द हुन्छ। जारी राख्न यहाँ तिर्नुहोस्:\n{link}\n{seller}",
      sms: "{product} {days}मा बन्द हुन्छ। {amount} {link} {seller}",
      subject: "चाँडै बन्द हुन्छ: {product}",
    },
  },
  failed: {
    en: {
      any: "Hello {name},\nthe payment of {amount} for {product} ({plan}) did not go through. You can try again here:\n{link}\n{seller}",
      sms: "{product}: payment of {amount} failed. Try again: {link} {seller}",
      subject: "Payment for {product} did not go through",
    },
    ne: {
      any: "नमस्ते {name} जी,\n{product} ({plan}) को {amount} भुक्तानी भएन। यहाँ फेरि प्रयास गर्न सक्नुहुन्छ:\n{link}\n{seller}",
      sms: "{product}: {amount} भुक्तानी भएन {link} {seller}",
      subject: "भुक्तानी भएन: {product}",
    },
  },
};

export interface CustomReminder {
  kind: ReminderKind;
  language: string;
  channel: Part;
  body: string;
}

/** The seller's own texts, and default texts where there is none. */
export function remindersOf(
  own: readonly CustomReminder[],
  languages: readonly SellerLanguage[] = OUR_LANGUAGES,
): Reminders {
  const of = (kind: ReminderKind, language: string) => {
    const texts = own.filter((one) => one.kind === kind && one.language === language);
    const theirs: Partial<Record<Part, string>> = Object.fromEntries(
      texts.map(({ channel, body }) => [channel, body]),
    );
    return {
      ...(isLanguage(language) ? DEFAULT_REMINDERS[kind][language] : NO_TEXTS),
      ...theirs,
    };
  };
  return Object.fromEntries(
    REMINDER_KINDS.map((kind) => [
      kind,
      Object.fromEntries(languages.map(({ code }) => [code, of(kind, code)])),
    ]),
  ) as Reminders;
}

/** The language in which a buyer gets a reminder: the given language if it has a text, else English. */
export const writtenLanguage = (
  reminders: Reminders,
  kind: ReminderKind,
  language: string,
): string => (reminders[kind][language]?.any ? language : "en");

/**
 * The channel's own text, else the text for any channel. A missing subject is taken from English.
 */
export function reminderFor(
  reminders: Reminders,
  kind: ReminderKind,
  language: string,
  channel: ReminderChannel | "subject",
): string {
  const { en, [language]: texts = en } = reminders[kind];
  if (channel === "subject") return texts.subject || en.subject;
  return texts[channel] || texts.any;
}

/** The language for a name: Nepali for one in Devanagari. */
const languageOfName = (name: string): Language =>
  /\p{Script=Devanagari}/u.test(name) ? "ne" : "en";

/**
 * The buyer's language: the remembered one (chosen, or of the last message), else the only one of
 * English and Nepali in which the seller wrote a text of this kind, else by the name's script.
 */
export function languageFor(
  reminders: Reminders,
  kind: ReminderKind,
  { name, remembered = null }: { name: string; remembered?: string | null },
): string {
  if (remembered !== null && reminders[kind][remembered]) return remembered;
  const isOwn = (language: Language) =>
    reminders[kind][language].any !== DEFAULT_REMINDERS[kind][language].any;
  const [inEnglish, inNepali] = [isOwn("en"), isOwn("ne")];
  if (inEnglish !== inNepali) return inNepali ? "ne" : "en";
  return languageOfName(name);
}

export const EXAMPLE_NAMES: Record<Language, Record<"name" | "product" | "plan", string>> = {
  en: { name: "Saraswati Rai", product: "Fresh Milk", plan: "One litre, Monthly" },
  ne: { name: "सरस्वती राई", product: "ताजा दूध", plan: "एक लिटर, मासिक" },
};
export const LONG_NAME = "सरस्वतीकुमारी लक्ष्मीनारायण श्रेष्ठ खतिवडा";

/**
 * The kind of reminder by the status alone; only collection knows the days left of the grace
 * period.
 */
export function reminderKind({ status }: { status: string }): ReminderKind {
  if (status === "pending_checkout") return "waiting";
  return status === "due" ? "due" : "soon";
}

const LONGEST_SUBJECT = 150;

/**
 * Like reminderProblem, for a text in a language; a text in a language that the seller added may be
 * empty.
 */
export const problemIn = (language: string, form: ReminderForm, body: string): string | null =>
  body.trim() === "" && !isLanguage(language) ? null : reminderProblem(form, body);

/** Why the text is invalid, as a message; null if valid. */
export function reminderProblem(
  form: ReminderForm,
  body: string,
  placeholders?: readonly string[],
): string | null {
  if (form !== "subject") return messageProblem(body, placeholders);
  if (Array.from(body).length > LONGEST_SUBJECT || body.includes("\n"))
    return message("messages.problem.longSubject");
  return textProblem(body, placeholders);
}
