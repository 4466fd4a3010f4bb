import { fillPlaceholders } from "#contract/message-text.ts";
import { valuesIn } from "#contract/message-text.ts";
import { localizeDigits, writeMoney, type AmountStyle } from "#lib/format/format.ts";
import { isLanguage, type Language } from "#lib/i18n/languages.ts";
import { message } from "#lib/i18n/message.ts";
import type { ToPay } from "#lib/format/format.ts";
import type { PriceNotice } from "#lib/money/price.ts";
import { hasHiddenCharacters } from "#lib/text/fold-text.ts";

export const PLACEHOLDERS = [
  "name",
  "product",
  "plan",
  "amount",
  "date",
  "days",
  "link",
  "seller",
] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];
export type MessageFacts = Record<Placeholder, string>;

/** Words that Duebook inserts into the seller's text, in the language of that text. */
interface BuyerWords {
  months: string;
  date: (day: string, month: string, year: string) => string;
  days: (count: number) => string;
  yourSubscription: string;
  listPrice: (money: string) => string;
}

const BUYER_WORDS: Record<Language, BuyerWords> = {
  en: {
    months: "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    date: (day, month, year) => `${day} ${month} ${year}`,
    days: (count) => (count < 1 ? "less than a day" : count === 1 ? "1 day" : `${count} days`),
    yourSubscription: "your subscription",
    listPrice: (money) => `${money} (list price)`,
  },
  ne: {
    months: "जनवरी फेब्रुअरी मार्च अप्रिल मे जुन जुलाई अगस्ट सेप्टेम्बर अक्टोबर नोभेम्बर डिसेम्बर",
    date: (day, month, year) => `${year} ${month} ${day}`,
    days: (count) => (count < 1 ? "एक दिनभन्दा कम समय" : `${count} दिन`),
    yourSubscription: "तपाईंको सदस्यता",
    listPrice: (money) => `${money} (सूची मूल्य)`,
  },
};

interface WriterValues {
  /** Formats a number of days, such as "3 days". */
  days: (count: number) => string;
  /** @param day YYYY-MM-DD */
  date: (day: string) => string;
  money: (amount: string, currency: string, amount_style: AmountStyle) => string;
}

/**
 * Formats a message's values in the language of its text, not of its sender; as in English if the
 * system does not know the language.
 * @param usual the language of built-in words in a text whose language the seller added
 */
export function messageWriterFor(language: string, usual: Language = "en") {
  const { yourSubscription, listPrice } = BUYER_WORDS[isLanguage(language) ? language : usual];
  const { days, date, money } = valuesFor(language);
  return {
    yourSubscription,
    days,
    date,
    money,
    /** The seller's currency is used for an amount without one. */
    toPay: (
      { amount, currency, is_list_price }: ToPay,
      {
        currency: usualCurrency,
        amount_style,
      }: { currency: string; amount_style: AmountStyle },
    ) => {
      if (amount === "") return "";
      const written = money(amount, currency || usualCurrency, amount_style);
      return is_list_price ? listPrice(written) : written;
    },
  };
}

function valuesFor(language: string): WriterValues {
  if (!isLanguage(language)) {
    const english = valuesFor("en");
    const { money, day: date, days } = valuesIn(language) ?? {};
    return {
      days: days ?? english.days,
      date: date ?? english.date,
      money: money ? (amount, currency) => money(currency, amount) : english.money,
    };
  }
  const { months, date, days } = BUYER_WORDS[language];
  return {
    days: (count) => localizeDigits(days(count), language),
    date: (day) => {
      const [year = "", month, date_ = ""] = day.split("-");
      const name = months.split(" ")[Number(month) - 1] ?? "";
      return localizeDigits(date(String(Number(date_)), name, year), language);
    },
    money: (amount, currency, amount_style) =>
      writeMoney(amount, currency, { language, amount_style }),
  };
}

export type MessageWriter = ReturnType<typeof messageWriterFor>;

const LONGEST_MESSAGE = 1_000;

const MARK = /\{([^{}]*)\}/g;

/** Why the text is invalid, as a message; null if valid. */
export function messageProblem(
  body: string,
  placeholders: readonly string[] = PLACEHOLDERS,
): string | null {
  if (Array.from(body).length > LONGEST_MESSAGE) return message("messages.problem.tooLong");
  const problem = textProblem(body, placeholders);
  if (problem !== null) return problem;
  return body.includes("{link}") ? null : message("messages.problem.noLink");
}

/** Like messageProblem, for a text that needs no link. */
export function textProblem(
  body: string,
  placeholders: readonly string[] = PLACEHOLDERS,
): string | null {
  if (body.trim() === "") return message("messages.problem.empty");
  if (hasHiddenCharacters(body.replaceAll("\n", ""))) return message("messages.problem.hidden");
  const unknown = [...body.matchAll(MARK)].find(
    ([, name = ""]) => !placeholders.includes(name),
  );
  if (unknown)
    return message("messages.problem.unknown", {
      mark: unknown[0],
      all: placeholders.map((name) => `{${name}}`).join(", "),
    });
  return null;
}

/** The text, trimmed and with normalised line ends. */
export const readMessage = (body: string) => body.replace(/\r\n?/g, "\n").trim();

/** Fills in the values; unknown ones leave no empty brackets or doubled commas. */
export const fillMessage = (body: string, facts: MessageFacts): string =>
  fillPlaceholders(body, facts);

/** `any`: a text for apps and email. `subject`: the subject of an email. */
type NoticeForm = "any" | "sms" | "subject";

/** Texts about a new price, in both languages because buyers read them. */
const PRICE_NOTICES: Record<Language, Record<NoticeForm, string>> = {
  en: {
    any: "Hello {name},\nthe price of {product} ({plan}) changes from {before} to {after} on {date}.\n{seller}",
    sms: "{product}: {after} instead of {before} from {date}. {seller}",
    subject: "New price of {product} from {date}",
  },
  ne: {
    any: "नमस्ते {name} जी,\n{product} ({plan}) को मूल्य {date} देखि {before} बाट {after} हुनेछ।\n{seller}",
    sms: "{product}: {date} देखि {before} को सट्टा {after} {seller}",
    subject: "{date} देखि नयाँ मूल्य: {product}",
  },
};

interface NoticeContext {
  /** The language of the built-in texts. */
  language: string;
  facts: MessageFacts;
  writer: MessageWriter;
  amount_style: AmountStyle;
}

/** The text about a new price for a buyer. */
export function priceNoticeText(
  { day, before, after }: PriceNotice,
  form: NoticeForm,
  { language, facts, writer, amount_style }: NoticeContext,
): string {
  const money = ({ amount, currency }: PriceNotice["before"]) =>
    writer.money(amount, currency, amount_style);
  return fillPlaceholders(PRICE_NOTICES[isLanguage(language) ? language : "en"][form], {
    ...facts,
    date: writer.date(day),
    before: money(before),
    after: money(after),
  });
}
