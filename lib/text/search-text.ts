import { foldText, isAscii } from "./fold-text.ts";
import { nationalDigits } from "./phone.ts";
import { soundKey } from "./romanize.ts";

/** Stands before the key of a word's sound, so that no typed letters are taken for one. */
const SOUND = "~";
/** Stands before what is nothing but letters: names, of which there are few. */
const NAME = "=";
/** Stands before the digits of a phone from the last to the first: people know its last four. */
const BACKWARDS = "<";
const LONGEST_PART = 300;

interface Found {
  /** Of people and businesses: found by how they sound as well, as is whatever else is all letters. */
  names: readonly (string | null | undefined)[];
  phones: readonly (string | null | undefined)[];
  /** Addresses, ids, numbers, names of products and plans. */
  words: readonly (string | null | undefined)[];
}

/**
 * The words that a record is found by, each by its beginning: folded, the digits of phones in both
 * directions, and the keys of how names sound. Whoever searches folds what was typed by `searchWords`.
 */
export function searchTokens({ names, phones, words }: Found): string[] {
  const given = (parts: Found["words"]) =>
    parts.flatMap((part) => (part ? [part.slice(0, LONGEST_PART)] : []));
  const heard = searchWords(given(names).join(" "));
  const written = [...heard, ...searchWords(given(words).join(" "))];
  const all = new Set<string>();
  for (const word of written) {
    all.add(kept(word));
    for (const part of innerParts(word)) all.add(word.includes("@") ? part : kept(part));
  }
  const digits = given(phones).map(nationalDigits).filter(Boolean);
  for (const number of digits) all.add(number).add(backwards(number));
  const sounding = [...all].flatMap((word) => (word.startsWith(NAME) ? [word.slice(1)] : []));
  for (const word of [...heard, ...sounding]) {
    const mark = /\p{L}/u.test(word) ? phoneticToken(word) : null;
    if (mark !== null) all.add(mark);
  }
  return [...all];
}

/** What begins within a word: the house behind an @, the second half of a name. Ids have none. */
function innerParts(word: string): string[] {
  if (!/[@._+-]/.test(word) || (/\d/.test(word) && !word.includes("@"))) return [];
  const parts = word.split(/(?<=[@._+-])/);
  return parts.slice(1).map((_part, at) => parts.slice(at + 1).join(""));
}

export const backwards = (digits: string) =>
  BACKWARDS + Array.from(digits).toReversed().join("");

/** How a word stands among those that a record is found by; a beginning of one stands so too. */
export const kept = (word: string) => (isName(word) ? NAME + word : word);

/** Names and their sounds: few in all, however many records bear them. */
export const isKnownWord = (word: string) => word.startsWith(NAME) || word.startsWith(SOUND);

/** Of what stands for a name; null for a sound. */
export const soundOfName = (word: string): string | null =>
  word.startsWith(NAME) ? phoneticToken(word.slice(NAME.length)) : null;

const FEWEST_LETTERS = 3;
const isName = (word: string) =>
  word.length >= FEWEST_LETTERS && (/^[a-z]+$/.test(word) || /^[\p{L}\p{M}]+$/u.test(word));

/** What words of which this is the beginning can begin with. */
export const prefixesOf = (letters: string): string[] =>
  /^[\p{L}\p{M}]+$/u.test(letters) ? [NAME + letters, letters] : [letters];

/** Words as they are compared: folded, without signs but those of addresses and ids. */
export function searchWords(text: string): string[] {
  const folded = foldText(text).replace(/['’]/g, "");
  // The same for what most texts are, in a third of the time.
  if (isAscii(folded))
    return (folded.match(/[a-z0-9@._+-]+/g) ?? []).filter((word) => /[a-z0-9]/.test(word));
  return folded.split(/[^\p{L}\p{M}\p{N}@._+-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

const MOST_REMEMBERED = 20_000;
const remembered = new Map<string, string | null>();

/** What a record is found by for the sound of a word; null when it sounds of nothing. */
export function phoneticToken(word: string): string | null {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const key = soundKey(word);
  const mark = key === "" ? null : SOUND + key.replaceAll(" ", "");
  // A seller's records name few people, products and plans, again and again.
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(word, mark);
  return mark;
}
