import { matchRank, wordsOf, type Matchable } from "#lib/text/match-text.ts";

export interface Group<Item extends Matchable, Id extends string = string> {
  id: Id;
  items: Item[];
}

/** The same of words with one slip each, or with letters left out: for when nothing holds them as typed. */
export function looseMatchRank({ title, note = "", words = "" }: Matchable, typed: string): number {
  const asked = wordsOf(typed);
  const isLikeOneOf = (names: string[]) =>
    asked.every((word) => names.some((name) => isLike(name, word)));
  if (isLikeOneOf(wordsOf(title))) return 2;
  return isLikeOneOf(wordsOf(`${title} ${note} ${words}`)) ? 1 : 0;
}

function isLike(name: string, asked: string): boolean {
  if (name.startsWith(asked)) return true;
  if (asked.length >= 4 && beginsWithOneSlip(name, asked)) return true;
  return asked.length >= 3 && name[0] === asked[0] && holdsInOrder(name, asked);
}

/** Whether one letter is wrong, too much or missing, or two have changed places. */
function beginsWithOneSlip(name: string, asked: string): boolean {
  let at = 0;
  while (at < asked.length && name[at] === asked[at]) at += 1;
  const goesOn = (inName: number, inAsked: number) =>
    name.slice(at + inName).startsWith(asked.slice(at + inAsked));
  const areSwapped = name[at] === asked[at + 1] && name[at + 1] === asked[at];
  return goesOn(1, 1) || goesOn(0, 1) || goesOn(1, 0) || (areSwapped && goesOn(2, 2));
}

function holdsInOrder(name: string, asked: string): boolean {
  let at = 0;
  for (const letter of name) if (letter === asked[at]) at += 1;
  return at === asked.length;
}

/** What fits, the nearest first; the groups in the order of their nearest. */
export function searchGroups<Item extends Matchable, Id extends string>(
  groups: Group<Item, Id>[],
  typed: string,
  most: number,
  rankOf = matchRank,
): Group<Item, Id>[] {
  if (!typed.trim()) return groups.filter(({ items }) => items.length > 0);
  const found = groups.map(({ id, items }) => {
    const near = items
      .map((item) => ({ item, rank: rankOf(item, typed) }))
      .filter(({ rank }) => rank > 0)
      .toSorted((one, other) => other.rank - one.rank)
      .slice(0, most);
    return { id, items: near.map(({ item }) => item), best: near[0]?.rank ?? 0 };
  });
  return found
    .filter(({ best }) => best > 0)
    .toSorted((one, other) => other.best - one.best)
    .map(({ id, items }) => ({ id, items }));
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const CHECKOUT_LINK = /^https?:\/\/\S*\/pay\/([^\s/?#]+)/i;

/** The subscription that a pasted id, checkout link or address of its page names; null for other words. */
export function readSubscriptionId(typed: string): string | null {
  const text = typed.trim();
  return UUID.exec(text)?.[0].toLowerCase() ?? CHECKOUT_LINK.exec(text)?.[1] ?? null;
}
