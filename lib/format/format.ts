import { daysBetween, isDay } from "./calendar.ts";
import type { Month } from "#contract/process/bikram-sambat.ts";
import type { Language } from "#lib/i18n/languages.ts";
import type { Translate } from "#lib/i18n/message.ts";

/** The amount to pay for a subscription. */
export interface ToPay {
  /** Decimal text; other text is shown unchanged. */
  amount: string;
  currency: string;
  /**
   * Whether the amount is the list price, because the API no longer lists the period or lists
   * another price, or because the amount with offers and VAT cannot be calculated.
   */
  is_list_price: boolean;
}

/** Currency code or symbol, with thousands or lakh grouping. */
export const AMOUNT_STYLES = ["code", "code_lakh", "symbol", "symbol_lakh"] as const;
export type AmountStyle = (typeof AMOUNT_STYLES)[number];

export interface FormatSettings {
  language: Language;
  time_zone: string;
  /** The current time, ISO; relative days count from it. */
  now: string;
  /** The currency of amounts that name none. */
  currency: string;
  amount_style: AmountStyle;
}

/** Formats dates, amounts and counts for a reader's language and the seller's zone and style. */
export interface Format {
  /** Formats a datetime in the seller's zone or a plain date, such as "20 Nov 2026". */
  date: (iso: string) => string;
  /** Formats a datetime, such as "20 Nov 2026, 14:05". */
  dateTime: (iso: string) => string;
  /** Formats a day (YYYY-MM-DD) without its year, such as "20 Nov". */
  dayOfMonth: (day: string) => string;
  /** Formats a month (YYYY-MM), such as "Nov 2026". */
  month: (month: string) => string;
  /** Formats the time of a datetime, such as "14:05"; empty for other texts. */
  time: (iso: string) => string;
  /** Formats a day relative to now, such as "today" or "in 3 days", counted in calendar days. */
  relativeDay: (iso: string) => string;
  /** Formats a count, such as "12,345", or "१,२३,४५६" in Nepali, which groups in lakhs. */
  count: (count: number) => string;
  /** Formats decimal text, such as "NPR 1,999.00"; other text follows the currency unchanged. */
  money: (amount: string, currency: string) => string;
  /** Formats one buyer's amounts, one per currency, such as "NPR 1,999.00 list price". */
  toPay: (...asked: readonly ToPay[]) => string;
  /** Formats sums over many buyers, such as "NPR 1,999.00 with list prices". */
  sum: (sums: readonly ToPay[]) => string;
  /** Formats a delay, such as "5 minutes". */
  wait: (seconds: number) => string;
}

export function makeFormat(t: Translate<"format">, settings: FormatSettings): Format {
  const { language, time_zone, now, currency: usual, amount_style } = settings;
  const digits = (text: string) => localizeDigits(text, language);
  const time = (iso: string) => digits(formatTime(iso, time_zone));
  const part = (key: "dayOfMonth" | "month", iso: string) => {
    const [year = "", month, day] = iso.split("-");
    if (!month || !isDay(`${year}-${month}-${day ?? "01"}`)) return iso;
    const name = t(`months.${Number(month) as Month}`);
    return digits(
      key === "month"
        ? t("month", { month: name, year })
        : t("dayOfMonth", { day: String(Number(day)), month: name }),
    );
  };
  const date = (iso: string) => {
    const [year, month, day] = calendarDay(iso, time_zone)?.split("-") ?? [];
    if (!year || !month || !day) return iso;
    const name = t(`months.${Number(month) as Month}`);
    return digits(t("date", { day: String(Number(day)), month: name, year }));
  };
  const money = (amount: string, currency: string) =>
    writeMoney(amount, currency || usual, { language, amount_style });
  const named = (key: "listPrice" | "withListPrices", each: readonly ToPay[]) =>
    each
      .map(({ amount, currency, is_list_price }) =>
        is_list_price && amount !== ""
          ? t(key, { money: money(amount, currency) })
          : money(amount, currency),
      )
      .join(" · ");
  return {
    date,
    time,
    money,
    toPay: (...asked) => named("listPrice", asked),
    sum: (sums) => named("withListPrices", sums),
    dayOfMonth: (day) => part("dayOfMonth", day),
    month: (month) => part("month", month),
    dateTime: (iso) => {
      const clock = time(iso);
      return clock ? t("dateTime", { date: date(iso), time: clock }) : date(iso);
    },
    relativeDay: (iso) => {
      const [day, today] = [calendarDay(iso, time_zone), calendarDay(now, time_zone)];
      return day && today ? digits(relativeDay(t, daysBetween(today, day))) : "";
    },
    count: (count) => digits(COUNT[language].format(count)),
    wait: (seconds) => digits(describeWait(t, seconds)),
  };
}

export function waitInUnits(seconds: number): { unit: "seconds" | "minutes"; count: number } {
  return seconds < 60
    ? { unit: "seconds", count: seconds }
    : { unit: "minutes", count: Math.ceil(seconds / 60) };
}

export function describeWait(t: Translate<"format">, seconds: number): string {
  const { unit, count } = waitInUnits(seconds);
  return t(unit, { count });
}

export function localizeDigits(text: string, language: Language): string {
  return language === "ne"
    ? text.replace(/\d/g, (digit) => DEVANAGARI[Number(digit)] ?? "")
    : text;
}

const DEVANAGARI = "०१२३४५६७८९";

/** An amount for the language's readers. Nepali always groups in lakhs and writes रु for Rs. */
export function writeMoney(
  amount: string,
  currency: string,
  { language, amount_style }: Pick<FormatSettings, "language" | "amount_style">,
): string {
  if (language === "en") return formatMoney(amount, currency, amount_style);
  const style = amount_style.startsWith("symbol") ? "symbol_lakh" : "code_lakh";
  const text = formatMoney(amount, currency, style).replace(/^(-?)Rs /, "$1रु ");
  return localizeDigits(text, language);
}

function relativeDay(t: Translate<"format">, days: number): string {
  if (days === 0) return t("today");
  if (days === 1) return t("tomorrow");
  if (days === -1) return t("yesterday");
  const away = Math.abs(days);
  // From 60 days on, in months: "1 month" would be too vague.
  if (away < 60) return t(days > 0 ? "inDays" : "daysAgo", { count: String(away) });
  const months = Math.round(away / 30.44);
  if (months < 24) return t(days > 0 ? "inMonths" : "monthsAgo", { count: String(months) });
  const years = String(Math.round(away / 365.25));
  return t(days > 0 ? "inYears" : "yearsAgo", { count: years });
}

/** See Format.money. */
export function formatMoney(
  amount: string,
  currency: string,
  style: AmountStyle = "code",
): string {
  const decimal = /^-?\d+(?:\.(\d+))?$/.exec(amount);
  if (!decimal) return `${currency} ${amount}`.trim();
  const format = moneyFormat(currency, decimal[1]?.length ?? 0, style);
  if (!format) return `${currency} ${amount}`.trim();
  // Passed as text, because a number would lose digits.
  return format.format(amount as Intl.StringNumericLiteral).replace(/\u00a0/g, " ");
}

/** See Format.time. */
export function formatTime(iso: string, timeZone: string): string {
  const parts = zonedParts(iso, timeZone);
  return parts ? `${parts["hour"]}:${parts["minute"]}` : "";
}

/**
 * The day (YYYY-MM-DD) of a moment in the zone; a date-only text is never shifted. Null if it is
 * neither.
 */
export function calendarDay(iso: string, timeZone: string): string | null {
  if (isDay(iso)) return iso;
  const parts = zonedParts(iso, timeZone);
  return parts && `${parts["year"]?.padStart(4, "0")}-${parts["month"]}-${parts["day"]}`;
}

/** The day (YYYY-MM-DD) of a valid moment in the zone. */
export const dayInZone = (now: string, timeZone: string): string =>
  calendarDay(now, timeZone) ?? now.slice(0, 10);

/** The first grapheme: a Devanagari letter can be several characters. */
export function initialOf(name: string): string {
  const [first] = LETTERS.segment(name);
  return first?.segment.toUpperCase() ?? "";
}

const LETTERS = new Intl.Segmenter();
// Chromium has no Nepali number format; Indian English groups digits in the same way.
const COUNT = { en: new Intl.NumberFormat("en"), ne: new Intl.NumberFormat("en-IN") };
const MOST_CACHED = 500;

/**
 * The same function with cached results: creating a formatter costs a hundred times as much as using
 * it.
 */
function cached<Args extends (string | number)[], Value>(make: (...args: Args) => Value) {
  const results = new Map<string, Value>();
  return (...args: Args): Value => {
    const key = args.join(" ");
    const known = results.get(key);
    if (known !== undefined) return known;
    if (results.size >= MOST_CACHED) results.clear();
    const value = make(...args);
    results.set(key, value);
    return value;
  };
}

/** A formatter of amounts; null for an invalid currency code. */
const moneyFormat = cached((currency: string, places: number, style: AmountStyle) => {
  const locale = style.endsWith("lakh") ? "en-IN" : "en";
  const currencyDisplay = style.startsWith("symbol") ? "narrowSymbol" : "code";
  try {
    const options = { style: "currency", currency, currencyDisplay } as const;
    const usual =
      new Intl.NumberFormat(locale, options).resolvedOptions().maximumFractionDigits ?? 2;
    return new Intl.NumberFormat(locale, {
      ...options,
      maximumFractionDigits: Math.min(100, Math.max(places, usual)),
      // Without this, "-0.00" would keep its minus sign and look like a debt.
      signDisplay: "negative",
    });
  } catch {
    return null;
  }
});

/** A formatter of times in the zone; UTC for an unknown zone. */
const zoneFormat = cached((timeZone: string): Intl.DateTimeFormat => {
  try {
    return new Intl.DateTimeFormat("en", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
  } catch {
    return zoneFormat("UTC");
  }
});

const zonedParts = cached((iso: string, timeZone: string) => {
  const moment = parseIsoMoment(iso);
  if (moment === null) return null;
  const parts = zoneFormat(timeZone).formatToParts(moment);
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
});

const MOMENT =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)\d*(?:Z|([+-]\d{2}):?(\d{2})?)?$/i;

/**
 * Milliseconds since 1970. Only ISO 8601: Date.parse would accept "batch 5". Without an offset it is
 * UTC, because the machine's zone differs between server and browser.
 */
export function parseIsoMoment(iso: string): number | null {
  const [matched, day, time, hours, minutes = "00"] = MOMENT.exec(iso) ?? [];
  if (matched === undefined) return null;
  const moment = Date.parse(`${day}T${time}${hours ? `${hours}:${minutes}` : "Z"}`);
  return Number.isNaN(moment) ? null : moment;
}
