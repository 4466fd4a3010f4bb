import { foldText } from "./fold-text.ts";

/** As much of an entry as it is found by. */
export interface Findable {
  title: string;
  /** A second line. */
  note?: string | undefined;
  /** Other words for it, in either language. */
  words?: string | undefined;
}

/** 0 unless the entry holds every word, in any order; more, the nearer its title comes to them. */
export function nearness({ title, note = "", words = "" }: Findable, typed: string): number {
  const asked = wordsOf(typed);
  const name = wordsOf(title).join(" ");
  const all = `${name}\n${foldText(`${note}\n${words}`)}`;
  if (!asked.every((word) => all.includes(word))) return 0;
  if (!asked.every((word) => name.includes(word))) return 1;
  if (!asked.every((word) => beginsWord(name, word))) return 2;
  if (!name.startsWith(asked.join(" "))) return 3;
  return name === asked.join(" ") ? 5 : 4;
}

const beginsWord = (name: string, word: string) => ` ${name}`.includes(` ${word}`);

export const wordsOf = (text: string) => foldText(text).split(/\s+/).filter(Boolean);
