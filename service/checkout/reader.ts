import type { FastifyRequest } from "fastify";
import * as z from "zod";
import { EN, type CheckoutTexts } from "./texts-en.ts";
import { NE } from "./texts-ne.ts";

export const TEXTS = { en: EN, ne: NE };
export type Language = keyof typeof TEXTS;

export interface PageReader {
  language: Language;
  texts: CheckoutTexts;
  /** @param amount decimal text with two places */
  money: (currency: string, amount: string) => string;
  day: (date: Temporal.PlainDate) => string;
  moment: (at: Date, timeZone: string) => string;
  digits: (text: string) => string;
  /** Adds the chosen language to a URL of the checkout. */
  own: (address: string) => string;
  /** Whether the page can be reloaded in another language: not after a refused form. */
  canSwitch: boolean;
}

/** Language from the page's language link, otherwise from the browser; there is no cookie. */
export function readerOf({ method, url, headers }: FastifyRequest): PageReader {
  const chosen = new URLSearchParams(url.split("?")[1]).get("lang");
  const language = isLanguage(chosen) ? chosen : askedFor(headers["accept-language"] ?? "");
  const own = (address: string) =>
    isLanguage(chosen) && address.startsWith("/") ? withLanguage(address, chosen) : address;
  const writing = WRITING[language];
  const moment = (at: Date, timeZone: string) => {
    const local = at.toTemporalInstant().toZonedDateTimeISO(timeZone);
    const time = local.toPlainTime().toString({ smallestUnit: "minute" });
    return `${writing.day(local.toPlainDate())}, ${writing.digits(time)}`;
  };
  return { ...writing, moment, language, own, canSwitch: method === "GET" };
}

/** Looks up a text by name; null for unknown names, which URLs can contain. */
export const textByName = (
  texts: Record<string, string>,
  name: string | null,
): string | null =>
  name !== null && Object.hasOwn(texts, name) ? (texts[name] ?? null) : null;

export const LANGUAGES = Object.keys(TEXTS).filter(isLanguage);

/** The query of a page, as its route describes it. */
export const LANGUAGE_QUERY = {
  schemas: { lang: z.enum(LANGUAGES) },
  meanings: { lang: "The page's language; otherwise the browser's preferred one" },
};

function isLanguage(text: string | null): text is Language {
  return text !== null && Object.hasOwn(TEXTS, text);
}

const withLanguage = (address: string, language: Language) =>
  `${address}${address.includes("?") ? "&" : "?"}lang=${language}`;

function askedFor(header: string): Language {
  let [found, most]: [Language, number] = ["en", 0];
  for (const [, name = "", weight = "1"] of header.toLowerCase().matchAll(WISH))
    if (isLanguage(name) && Number(weight) > most) [found, most] = [name, Number(weight)];
  return found;
}

const WISH = /(?:^|,)\s*([a-z]+)(?:-[\w-]*)?\s*(?:;\s*q=([\d.]+))?\s*(?=,|$)/g;

type Writing = Pick<PageReader, "texts" | "money" | "day" | "digits">;

const DEVANAGARI = "०१२३४५६७८९";
const inDevanagari = (text: string) =>
  text.replace(/\d/g, (digit) => DEVANAGARI[Number(digit)] ?? digit);

/** Converts Devanagari digits to Latin ones: a Nepali keyboard may type its own digits. */
export const latinDigits = (text: string) =>
  text.replace(/[०-९]/g, (digit) => String(DEVANAGARI.indexOf(digit)));

/** A one-time code as a form sends it. */
export const TypedCode = z.string().trim().max(12).transform(latinDigits);
/** The id that a page's form has, so that sending it twice asks for one code. */
export const PageId = z.guid().optional().catch(undefined);

const grouped = (amount: string, groups: RegExp) => {
  const [whole = "", fraction = ""] = amount.split(".");
  return `${whole.replace(groups, ",")}.${fraction}`;
};
const THOUSANDS = /\B(?=(\d{3})+$)/g;
const LAKHS = /\B(?=(\d{2})*\d{3}$)/g;

const MONTHS = "जनवरी फेब्रुअरी मार्च अप्रिल मे जुन जुलाई अगस्ट सेप्टेम्बर अक्टोबर नोभेम्बर डिसेम्बर".split(" ");

/** How each language writes amounts, days and numbers. */
export const WRITING: Record<Language, Writing> = {
  en: {
    texts: EN,
    money: (currency, amount) => `${currency} ${grouped(amount, THOUSANDS)}`,
    day: (date) =>
      date.toLocaleString("en-GB", { day: "numeric", month: "long", year: "numeric" }),
    digits: (text) => text,
  },
  ne: {
    texts: NE,
    money: (currency, amount) =>
      inDevanagari(`${currency === "NPR" ? "रु" : currency} ${grouped(amount, LAKHS)}`),
    day: ({ year, month, day }) => inDevanagari(`${year} ${MONTHS[month - 1]} ${day}`),
    digits: inDevanagari,
  },
};
