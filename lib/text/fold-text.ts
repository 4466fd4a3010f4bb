import { asciiDigits } from "#contract/phone-number.ts";

export { asciiDigits };

/** Removes accents, nukta and joiners; unifies ँ and ं, ४ and 4. */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return asciiDigits(text)
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\u093c\u200c\u200d]/g, "")
    .replaceAll("ँ", "ं")
    .toLowerCase();
}

export const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

/** The key by which tags are the same: case, accents and repeated spaces do not matter. */
export const tagKey = (name: string): string => foldText(name.trim().replace(/\s+/g, " "));

/** The text without NUL and lone surrogates, which PostgreSQL cannot store. */
export const storableText = (text: string): string => text.replaceAll("\0", "").toWellFormed();

/** Control characters and direction marks, which can make different texts look equal. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

export const hasHiddenCharacters = (text: string): boolean => HIDDEN.test(text);

/** A name in any script as one trimmed line; null if empty, too long or with hidden characters. */
export function readNameLine(text: string, most: number): string | null {
  const name = text
    .normalize("NFC")
    .replace(/\p{Zs}+/gu, " ")
    .trim();
  const isName = /[\p{L}\p{N}\p{S}\p{P}]/u.test(name) && !hasHiddenCharacters(name);
  return isName && Array.from(name).length <= most ? name : null;
}
