import { parsePhoneNumberFromString, type PhoneNumber } from "libphonenumber-js/min";
import { nationalDigits, phoneCountryOf, type PhoneHome } from "../phone-number.ts";

/** The package that reads it is too large for pages, which use `contract/phone-number.ts`. */
function readNumber(phone: string, home: PhoneHome): PhoneNumber | null {
  const written = phone.trim().replace(/^00/, "+");
  const country = phoneCountryOf(home);
  const number = parsePhoneNumberFromString(written, country ?? undefined);
  return number?.isPossible() ? number : null;
}

/** A phone number in E.164 form; null for other texts, and if its country is not known. */
export const toInternational = (phone: string, home: PhoneHome): string | null =>
  readNumber(phone, home)?.number ?? null;

/**
 * The keys by which the same number is stored if it was written in another way: with or without
 * calling code, and with a 0 before the rest. The first is the one of this spelling.
 * @param phone in ASCII digits
 */
export function phoneSpellings(phone: string, home: PhoneHome): string[] {
  const digits = phone.replace(/\D/g, "");
  const own = [nationalDigits(phone), digits.replace(/^00/, "")];
  // A calling code may be written without the plus.
  const number = readNumber(phone, home) ?? readNumber(`+${digits.replace(/^00/, "")}`, home);
  if (!number) return distinct(own);
  const { countryCallingCode: code, nationalNumber: national } = number;
  const country = phoneCountryOf(home);
  const isHome = code === "977" || number.country === country;
  const spellings = [
    ...own,
    code + national,
    `${code}0${national}`,
    ...(isHome ? [national, `0${national}`] : []),
  ];
  return distinct(spellings);
}

const distinct = (keys: string[]) => [...new Set(keys)].filter(Boolean);

/** The fewest digits of a number that is written with a calling code but without a plus. */
const FEWEST_WITH_CODE = 11;

/** A number in ASCII digits, or a part of one, without its calling code; null if it has none. */
export function withoutCallingCode(phone: string): string | null {
  const written = phone.trim().replace(/^00/, "+");
  if (written.startsWith("+"))
    return parsePhoneNumberFromString(written)?.nationalNumber ?? null;
  const digits = written.replace(/\D/g, "");
  if (digits.length < FEWEST_WITH_CODE) return null;
  const number = parsePhoneNumberFromString(`+${digits}`);
  return number?.isValid() ? number.nationalNumber : null;
}
