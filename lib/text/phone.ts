import { asciiDigits } from "./fold-text.ts";

/** Fewer digits than this tie nothing to anybody. */
const FEWEST_DIGITS = 7;

/**
 * A phone number without what people write differently: spaces and dashes, Nepal's country code,
 * the 0 before an area, Devanagari digits. Empty when it has too few digits to tell buyers apart.
 */
export function phoneKey(phone: string): string {
  const national = nationalDigits(phone);
  return national.length < FEWEST_DIGITS ? "" : national;
}

/** The same for a part of a number, as somebody searches for it. */
export function nationalDigits(phone: string): string {
  const digits = asciiDigits(phone).replace(/\D/g, "").replace(/^0+/, "");
  // Nepali mobile numbers begin with 977 too; only what is left of one would be too short.
  return digits.replace(/^977(?=\d{8,11}$)/, "").replace(/^0+/, "");
}

/** Whether two numbers are one buyer's, however they are written. */
export function isSamePhone(one: string, other: string): boolean {
  const key = phoneKey(one);
  return key !== "" && key === phoneKey(other);
}

/** Whether what was typed can be nothing but a phone number or a part of one. */
export function isPhoneLike(text: string): boolean {
  return /^[+\d\s().-]+$/.test(asciiDigits(text));
}

/**
 * The country code and the number, digits only, as WhatsApp and Viber want them; null when the
 * country is not known. A seller in Nepal means a Nepali mobile number by ten digits that begin with 9.
 */
export function internationalDigits(phone: string, timeZone: string): string | null {
  const written = asciiDigits(phone).trim();
  const abroad = /^(?:\+|00)(.*)$/.exec(written)?.[1]?.replace(/\D/g, "") ?? "";
  if (/^[1-9]\d{6,14}$/.test(abroad)) return abroad;
  const isNepal = timeZone === "Asia/Kathmandu" || timeZone === "Asia/Katmandu";
  const key = phoneKey(written);
  return isNepal && /^9\d{9}$/.test(key) ? `977${key}` : null;
}
