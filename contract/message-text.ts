import { MESSAGE_LANGUAGES, type MessageLanguage } from "./names.ts";

/** Characters of the GSM 7-bit alphabet (3GPP TS 23.038). */
const BASIC =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/** Characters that take two places. */
const EXTENDED = "^{}\\[~]|€\f";

/** Places of a single message, and of each part of several. */
const ROOM = {
  "GSM-7": { one: 160, part: 153 },
  "UCS-2": { one: 70, part: 67 },
} as const;

/** The number of SMS that a text needs, and its length as a reader counts it. */
export function smsLength(text: string) {
  const letters = Array.from(text);
  const isGsm = letters.every((letter) => BASIC.includes(letter) || EXTENDED.includes(letter));
  const encoding: keyof typeof ROOM = isGsm ? "GSM-7" : "UCS-2";
  const sizes = letters.map((letter) =>
    isGsm ? (EXTENDED.includes(letter) ? 2 : 1) : letter.length,
  );
  const places = sizes.reduce((sum, size) => sum + size, 0);
  const { one, part } = ROOM[encoding];
  const characters = letters.length;
  if (places <= one) return { encoding, characters, parts: places === 0 ? 0 : 1 };
  // A character of two places is never split between two parts.
  let parts = 1;
  let filled = 0;
  for (const size of sizes) {
    if (filled + size > part) [parts, filled] = [parts + 1, 0];
    filled += size;
  }
  return { encoding, characters, parts };
}

// A private-use character that stands for an unknown value.
const GAP = "\ue000";

/**
 * Fills in the values of `{name}` and others; unknown values leave no empty brackets or doubled
 * commas, and unknown names stay.
 */
export function fillPlaceholders(body: string, values: Record<string, string>): string {
  const filled = body.replace(/\{([^{}]*)\}/g, (mark, name: string) =>
    Object.hasOwn(values, name) ? values[name] || GAP : mark,
  );
  // Removes spaces and punctuation only next to an unknown value, so that the seller's own spacing
  // stays.
  return filled
    .replaceAll(`(${GAP})`, GAP)
    .replace(/[,;]? *\ue000(?= *[,.:;!?)।\n]| *$)/gm, "")
    .replace(/\ue000 */g, "")
    .trim();
}

export const MAX_LANGUAGE_TAG = 20;

/** The canonical BCP 47 tag of a language, such as "mai"; null for any other text. */
export function languageTag(text: string): string | null {
  try {
    const [tag = ""] = Intl.getCanonicalLocales(text.trim());
    // Without extensions, which would change digits and calendars.
    const isPlain =
      /^[a-z]{2,3}(-[A-Za-z\d]{2,8})*$/.test(tag) && tag.length <= MAX_LANGUAGE_TAG;
    return isPlain ? tag : null;
  } catch {
    return null;
  }
}

/** Whether the service itself has texts in a language. */
export const isMessageLanguage = (text: string): text is MessageLanguage =>
  MESSAGE_LANGUAGES.some((language) => language === text);

// Languages of Nepal for which systems often have no name.
const NAMES: Record<string, string> = {
  mai: "मैथिली",
  bho: "भोजपुरी",
  new: "नेपाल भाषा",
  taj: "तामाङ",
  awa: "अवधी",
};

/** A language's own name; null if none is known. */
export function ownNameOf(language: string): string | null {
  if (Intl.DisplayNames.supportedLocalesOf(language).length === 0)
    return NAMES[language] ?? null;
  const names = new Intl.DisplayNames(language, { type: "language", fallback: "none" });
  return names.of(language) ?? null;
}

// Removes direction marks and replaces no-break spaces: with one of them, a whole SMS leaves the GSM
// alphabet and holds fewer characters.
const plain = (text: string) =>
  text.replace(/[\u061c\u200e\u200f]/g, "").replace(/[\u00a0\u202f]/g, " ");

/** How values are written in a language that the system knows; null for others. */
export function valuesIn(language: string) {
  if (Intl.NumberFormat.supportedLocalesOf(language).length === 0) return null;
  const dayFormat = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    calendar: "gregory",
    timeZone: "UTC",
  });
  const daysFormat = new Intl.NumberFormat(language, {
    style: "unit",
    unit: "day",
    unitDisplay: "long",
  });
  // For a unit that it does not know, the system prints the same abbreviation as without a
  // language.
  const hasDays = !daysFormat.formatToParts(3).some(({ value }) => value === "d");
  return {
    /** @param amount decimal text, written with all its digits; other text is unchanged */
    money: (currency: string, amount: string) => {
      const decimal = /^-?\d+(?:\.(\d+))?$/.exec(amount);
      if (!decimal || !/^[A-Z]{3}$/.test(currency)) return `${currency} ${amount}`.trim();
      const places = decimal[1]?.length ?? 0;
      const format = new Intl.NumberFormat(language, {
        style: "currency",
        currency,
        currencyDisplay: "code",
        minimumFractionDigits: places,
        maximumFractionDigits: places,
      });
      // Passed as text, because a number would lose digits.
      return plain(format.format(amount as Intl.StringNumericLiteral));
    },
    /** @param day YYYY-MM-DD */
    day: (day: string) => plain(dayFormat.format(new Date(`${day}T00:00:00Z`))),
    days: hasDays ? (count: number) => plain(daysFormat.format(Math.max(0, count))) : null,
  };
}
