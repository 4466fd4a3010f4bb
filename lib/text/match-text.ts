import { foldText } from "./fold-text.ts";

export interface Matchable {
  title: string;
  /** A second line of the entry. */
  note?: string | undefined;
  /** Synonyms in either language. */
  words?: string | undefined;
}

/**
 * How well an entry matches: 0 unless it contains every typed word, in any order; higher if its
 * title matches better.
 */
export function matchRank({ title, note = "", words = "" }: Matchable, typed: string): number {
  const asked = wordsOf(typed);
  const name = wordsOf(title).join(" ");
  const all = `${name}\n${foldText(`${note}\n${words}`)}`;
  if (!asked.every((word) => all.includes(word))) return 0;
  if (!asked.every((word) => name.includes(word))) return 1;
  if (!asked.every((word) => startsWord(name, word))) return 2;
  if (!name.startsWith(asked.join(" "))) return 3;
  return name === asked.join(" ") ? 5 : 4;
}

const startsWord = (name: string, word: string) => ` ${name}`.includes(` ${word}`);

const wordsOf = (text: string) => foldText(text).split(/\s+/).filter(Boolean);

/** Like `matchRank`, but allows one typing error in each word, or left-out letters ("prdcts"). */
export function looseMatchRank(
  { title, note = "", words = "" }: Matchable,
  typed: string,
): number {
  const asked = wordsOf(typed);
  const matchesSome = (names: string[]) =>
    asked.every((word) => names.some((name) => matchesLoosely(name, word)));
  if (matchesSome(wordsOf(title))) return 2;
  return matchesSome(wordsOf(`${title} ${note} ${words}`)) ? 1 : 0;
}

function matchesLoosely(name: string, asked: string): boolean {
  if (name.startsWith(asked)) return true;
  if (asked.length >= 4 && startsWithOneError(name, asked)) return true;
  return asked.length >= 3 && name[0] === asked[0] && containsInOrder(name, asked);
}

/** Allows one wrong, added or missing letter, or one swap of neighbours. */
function startsWithOneError(name: string, asked: string): boolean {
  let at = 0;
  while (at < asked.length && name[at] === asked[at]) at += 1;
  const matchesAfter = (inName: number, inAsked: number) =>
    name.slice(at + inName).startsWith(asked.slice(at + inAsked));
  const isSwapped = name[at] === asked[at + 1] && name[at + 1] === asked[at];
  return (
    matchesAfter(1, 1) ||
    matchesAfter(0, 1) ||
    matchesAfter(1, 0) ||
    (isSwapped && matchesAfter(2, 2))
  );
}

function containsInOrder(name: string, asked: string): boolean {
  let at = 0;
  for (const letter of name) if (letter === asked[at]) at += 1;
  return at === asked.length;
}
