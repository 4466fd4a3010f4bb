import { foldText } from "./fold-text.ts";
import { nationalDigits } from "./phone.ts";
import { soundKey } from "./romanize.ts";

/** Stands before the key of a word's sound, so that no typed letters are taken for one. */
const SOUND = "~";
const LONGEST_PART = 300;

interface Found {
  /** Of people and businesses: found by how they sound as well, as is what is not in Latin letters. */
  names: readonly (string | null | undefined)[];
  phones: readonly (string | null | undefined)[];
  /** Addresses, ids, numbers, names of products and plans. */
  words: readonly (string | null | undefined)[];
}

/**
 * The text that a record is found by: its words folded, each after a blank, and behind them the keys
 * of how its names sound. Whoever searches folds what was typed by `searchWords`.
 */
export function searchText({ names, phones, words }: Found): string {
  const given = (parts: Found["words"]) =>
    parts.flatMap((part) => (part ? [part.slice(0, LONGEST_PART)] : []));
  const folded = searchWords([...given(names), ...given(words)].join(" "));
  const digits = given(phones).map(nationalDigits).filter(Boolean);
  const heard = searchWords(given(names).join(" "));
  // The database's index knows no letters but ASCII's: others are found by their sound alone.
  const foreign = folded.filter((word) => /\P{ASCII}/u.test(word));
  const marks = new Set([...heard, ...foreign].flatMap((word) => soundMark(word) ?? []));
  return [...folded, ...digits, ...marks].map((word) => ` ${word}`).join("");
}

/** Words as they are compared: folded, without signs but those of addresses and ids. */
export function searchWords(text: string): string[] {
  return foldText(text)
    .replace(/['’]/g, "")
    .split(/[^\p{L}\p{M}\p{N}@._+-]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}

const MOST_REMEMBERED = 20_000;
const remembered = new Map<string, string | null>();

/** What stands in a searchText for the sound of a word; null when it sounds of nothing. */
export function soundMark(word: string): string | null {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const key = soundKey(word);
  const mark = key === "" ? null : SOUND + key.replaceAll(" ", "");
  // A seller's records name few people, products and plans, again and again.
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(word, mark);
  return mark;
}
