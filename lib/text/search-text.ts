import { foldText, isAscii } from "./fold-text.ts";
import { nationalDigits } from "#contract/phone-number.ts";

/** Prefix of phonetic keys. */
const SOUND = "~";
/** Prefix of the tokens of names; a seller has few distinct names. */
const NAME = "=";
/** Prefix of reversed phone digits, to search by the last four. */
const BACKWARDS = "<";
const LONGEST_PART = 300;

interface Found {
  /** Names of people and businesses; other spellings of the same sound find them too. */
  names: readonly (string | null | undefined)[];
  phones: readonly (string | null | undefined)[];
  /** Email addresses, ids, numbers, names of products and plans. */
  words: readonly (string | null | undefined)[];
}

/**
 * The search tokens of a record, matched by prefix: folded words, phone digits in both directions and
 * phonetic keys of names.
 */
export function searchTokens({ names, phones, words }: Found): string[] {
  const given = (parts: Found["words"]) =>
    parts.flatMap((part) => (part ? [part.slice(0, LONGEST_PART)] : []));
  const heard = searchWords(given(names).join(" "));
  const written = [...heard, ...searchWords(given(words).join(" "))];
  const all = new Set<string>();
  for (const word of written) {
    all.add(wordToken(word));
    for (const part of innerParts(word)) all.add(word.includes("@") ? part : wordToken(part));
  }
  const digits = given(phones).map(nationalDigits).filter(Boolean);
  for (const number of digits) all.add(number).add(reversedDigits(number));
  const sounding = [...all].flatMap((word) => (word.startsWith(NAME) ? [word.slice(1)] : []));
  for (const word of [...heard, ...sounding]) {
    const mark = /\p{L}/u.test(word) ? phoneticToken(word) : null;
    if (mark !== null) all.add(mark);
  }
  return [...all];
}

/** Parts inside a word: an email's domain, the second half of a double name. Ids have none. */
function innerParts(word: string): string[] {
  if (!/[@._+-]/.test(word) || (/\d/.test(word) && !word.includes("@"))) return [];
  const parts = word.split(/(?<=[@._+-])/);
  return parts.slice(1).map((_part, at) => parts.slice(at + 1).join(""));
}

export const reversedDigits = (digits: string) =>
  BACKWARDS + Array.from(digits).toReversed().join("");

/** The token of a word; a prefix of the word gives a prefix of the token. */
export const wordToken = (word: string) => (isName(word) ? NAME + word : word);

/** Whether a token is a name or a sound; a seller has few of them. */
export const isKnownWord = (word: string) => word.startsWith(NAME) || word.startsWith(SOUND);

/** The phonetic token of a name token; null for a phonetic token. */
export const soundOfName = (word: string): string | null =>
  word.startsWith(NAME) ? phoneticToken(word.slice(NAME.length)) : null;

const FEWEST_LETTERS = 3;
const isName = (word: string) =>
  word.length >= FEWEST_LETTERS && (/^[a-z]+$/.test(word) || /^[\p{L}\p{M}]+$/u.test(word));

/** Possible token prefixes of words that begin with these letters. */
export const prefixesOf = (letters: string): string[] =>
  /^[\p{L}\p{M}]+$/u.test(letters) ? [NAME + letters, letters] : [letters];

/** Words to compare: folded, without punctuation except in email addresses and ids. */
export function searchWords(text: string): string[] {
  const folded = foldText(text).replace(/['’]/g, "");
  // Most texts are ASCII, for which this is faster.
  if (isAscii(folded))
    return (folded.match(/[a-z0-9@._+-]+/g) ?? []).filter((word) => /[a-z0-9]/.test(word));
  return folded.split(/[^\p{L}\p{M}\p{N}@._+-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

const MOST_REMEMBERED = 20_000;
const remembered = new Map<string, string | null>();

/** The token of a word's sound; null if it has none. */
export function phoneticToken(word: string): string | null {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const key = soundKey(word);
  const mark = key === "" ? null : SOUND + key.replaceAll(" ", "");
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(word, mark);
  return mark;
}

/** Romanised Devanagari signs, without the inherent vowel. */
const SIGNS: Record<string, string> = {
  ...letters("अ a आ a इ i ई i उ u ऊ u ऋ ri ए e ऐ ai ओ o औ au ॐ om"),
  ...letters("ा a ि i ी i ु u ू u ृ ri े e ै ai ो o ौ au"),
  ...letters("क k ख kh ग g घ gh ङ ng च ch छ chh ज j झ jh ञ n"),
  ...letters("ट t ठ th ड d ढ dh ण n त t थ th द d ध dh न n"),
  ...letters("प p फ ph ब b भ bh म m य y र r ल l व v श sh ष sh स s ह h"),
  ...letters("ं n"),
};

function letters(pairs: string): Record<string, string> {
  const all = pairs.matchAll(/(\S+) (\S+)/g);
  return Object.fromEntries(Array.from(all, ([, sign = "", latin = ""]) => [sign, latin]));
}

/** Spellings of one sound, replaced in this order. */
const SAME_SOUNDS: [RegExp, string][] = [
  [/sinh\b/g, "singh"],
  [/x/g, "ks"],
  [/ks+h/g, "ks"],
  [/\bks/g, "ch"],
  [/ch+/g, "C"],
  [/c/g, "k"],
  [/([kgjtdpbs])h+/g, "$1"],
  [/f/g, "p"],
  [/z/g, "j"],
  [/q/g, "k"],
  [/[vw]/g, "b"],
  [/ee/g, "i"],
  [/oo|ou/g, "u"],
  // Spellings differ on every "a" except at the start of a word.
  [/(?<=[^\s\d])a/g, ""],
  [/(\p{L})\1+/gu, "$1"],
];

/**
 * A phonetic key, equal for Devanagari and its usual romanisations: "सरस्वती", "Saraswati" and
 * "Sarasvatee" share one. Words are separated by one space; digits stay. The key of a word's prefix
 * is nearly always a prefix of its key.
 */
export function soundKey(text: string): string {
  const latin = foldText(text)
    .replaceAll("ज्ञ", "gy")
    .replace(/ं(?=[पफबभम])/g, "m")
    .replace(/[\u0900-\u097f]/g, (sign) => SIGNS[sign] ?? (sign === "।" ? " " : ""))
    .replace(/['’]/g, "");
  const words = latin
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(" ");
  return SAME_SOUNDS.reduce(
    (key, [sounds, same]) => key.replace(sounds, same),
    words,
  ).toLowerCase();
}
