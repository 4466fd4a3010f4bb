import { isWebAddress } from "#contract/field-messages.ts";
import type { AmountStyle } from "#lib/format/format.ts";
import type { Language } from "#lib/i18n/languages.ts";
import { readNameLine } from "#lib/text/fold-text.ts";

export interface SellerDetails {
  name: string;
  time_zone: string;
  currency: string;
  amount_style: AmountStyle;
}

export const MAX_SELLER_NAME_LENGTH = 80;
export const EXAMPLE_TIME_ZONE = "Asia/Kathmandu";

export const readName = (text: string) => readNameLine(text, MAX_SELLER_NAME_LENGTH);

/** A color as #rrggbb; null if invalid. */
export const readColor = (text: string): string | null => {
  const [, digits] = /^#?([\da-f]{6})$/.exec(text.trim().toLowerCase()) ?? [];
  return digits === undefined ? null : `#${digits}`;
};

/** A phone number of 7 to 15 digits; null if invalid. */
export const readSupportPhone = (text: string): string | null => {
  const phone = text.trim();
  const digits = phone.replace(/\D/g, "").length;
  return /^\+?[\d -]{7,20}$/.test(phone) && digits >= 7 && digits <= 15 ? phone : null;
};

/** The normalised URL; null unless it is http or https without a password. */
export function readWebAddress(text: string): string | null {
  const trimmed = text.trim();
  if (!isWebAddress(trimmed)) return null;
  const { href } = new URL(trimmed);
  return href.length <= 2_000 ? href : null;
}

/** The current name of a time zone, given any of its names or its city; null if unknown. */
export function readTimeZone(text: string): string | null {
  const wanted = text.trim().replaceAll(" ", "_");
  if (/^\p{L}/u.test(wanted)) {
    const known = knownZone(wanted);
    if (known) return known;
  }
  const city = `/${wanted.toLowerCase()}`;
  const fitting = [...timeZones(), ...RENAMED.keys()]
    .filter((name) => name.toLowerCase().endsWith(city))
    .map(todaysName);
  const [zone, second] = new Set(fitting);
  return zone && !second ? zone : null;
}

/** All time zones by their current names, in alphabetical order. */
export function timeZones(): string[] {
  const names = Intl.supportedValuesOf("timeZone").map(todaysName);
  return [...new Set(["UTC", ...names])].sort();
}

function knownZone(name: string): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return todaysName(timeZone);
  } catch {
    return null;
  }
}

const todaysName = (name: string) => RENAMED.get(name) ?? name;

// Intl keeps the first name of a zone; these were renamed in the time zone database.
const RENAMED = new Map([
  ["Africa/Asmera", "Africa/Asmara"],
  ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ["America/Catamarca", "America/Argentina/Catamarca"],
  ["America/Coral_Harbour", "America/Atikokan"],
  ["America/Cordoba", "America/Argentina/Cordoba"],
  ["America/Godthab", "America/Nuuk"],
  ["America/Indianapolis", "America/Indiana/Indianapolis"],
  ["America/Jujuy", "America/Argentina/Jujuy"],
  ["America/Louisville", "America/Kentucky/Louisville"],
  ["America/Mendoza", "America/Argentina/Mendoza"],
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Asia/Katmandu", "Asia/Kathmandu"],
  ["Asia/Rangoon", "Asia/Yangon"],
  ["Asia/Saigon", "Asia/Ho_Chi_Minh"],
  ["Atlantic/Faeroe", "Atlantic/Faroe"],
  ["Etc/UTC", "UTC"],
  ["Etc/GMT", "UTC"],
  ["GMT", "UTC"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["Pacific/Enderbury", "Pacific/Kanton"],
  ["Pacific/Ponape", "Pacific/Pohnpei"],
  ["Pacific/Truk", "Pacific/Chuuk"],
]);

export interface Currency {
  code: string;
  name: string;
}

/** All currencies, ordered by code; one without a name in this language is named by its code. */
export function currencies(language: Language): Currency[] {
  const names = new Intl.DisplayNames(language, { type: "currency" });
  return Intl.supportedValuesOf("currency").map((code) => ({
    code,
    name: names.of(code) ?? code,
  }));
}

export function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf("currency").includes(code);
}
