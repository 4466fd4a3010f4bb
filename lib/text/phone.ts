import { asciiDigits } from "./fold-text.ts";

/** Minimum number of digits that identify a person. */
const FEWEST_DIGITS = 7;

/**
 * A phone number without spaces, dashes, Nepal's country code and leading 0, in ASCII digits. Empty if
 * too short.
 */
export function phoneKey(phone: string): string {
  const national = nationalDigits(phone);
  return national.length < FEWEST_DIGITS ? "" : national;
}

/** The same conversion for a part of a number, as typed in a search. */
export function nationalDigits(phone: string): string {
  const digits = asciiDigits(phone).replace(/\D/g, "").replace(/^0+/, "");
  // Nepali mobile numbers begin with 977 too, so the rest must be long enough.
  return digits.replace(/^977(?=\d{8,11}$)/, "").replace(/^0+/, "");
}

/** Whether two numbers are the same in any spelling. */
export function isSamePhone(one: string, other: string): boolean {
  const key = phoneKey(one);
  return key !== "" && key === phoneKey(other);
}

/** Whether the text can only be a phone number or a part of one. */
export function isPhoneLike(text: string): boolean {
  return /^[+\d\s().-]+$/.test(asciiDigits(text));
}

/**
 * Country code and number, digits only, as WhatsApp and Viber need them; null if the country is
 * unknown. For a seller in Nepal, ten digits that begin with 9 are a Nepali mobile number.
 */
export function internationalDigits(phone: string, timeZone: string): string | null {
  const written = asciiDigits(phone).trim();
  const abroad = /^(?:\+|00)(.*)$/.exec(written)?.[1]?.replace(/\D/g, "") ?? "";
  if (/^[1-9]\d{6,14}$/.test(abroad)) return abroad;
  const isNepal = timeZone === "Asia/Kathmandu" || timeZone === "Asia/Katmandu";
  const key = phoneKey(written);
  return isNepal && /^9\d{9}$/.test(key) ? `977${key}` : null;
}
