import { matchRank, type Matchable } from "#lib/text/match-text.ts";

export interface PaletteGroup<Item extends Matchable, Id extends string = string> {
  id: Id;
  items: Item[];
}

/** Matching entries, best first; groups are ordered by their best entry. */
export function searchGroups<Item extends Matchable, Id extends string>(
  groups: PaletteGroup<Item, Id>[],
  typed: string,
  most: number,
  rankOf = matchRank,
): PaletteGroup<Item, Id>[] {
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

/** The subscription id in a pasted id, checkout link or page URL; null for other text. */
export function subscriptionIdIn(typed: string): string | null {
  const text = typed.trim();
  return UUID.exec(text)?.[0].toLowerCase() ?? CHECKOUT_LINK.exec(text)?.[1] ?? null;
}
