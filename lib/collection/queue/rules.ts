import { addDecimals } from "#lib/decimal.ts";
import type { Turn } from "../rules.ts";
import { GROUPS, isShown, type DeskSearch, type Group } from "../search.ts";

/** How many stand so, as the database counted them. */
export interface DeskCell {
  group: Exclude<Group, "failed">;
  turn: Turn;
  is_failed: boolean;
  is_broken: boolean;
  whose: "mine" | "nobody" | "others";
  currency: string;
  count: number;
  amount: string;
}

export interface DeskSums {
  /** Of each tab, under the other filters. */
  groups: Record<Group | "all", number>;
  /** What rests, whichever of it is shown. */
  promised: number;
  handled: number;
  snoozed: number;
  broken: number;
  /** What can be lost of what is shown, by currency. */
  amounts: { currency: string; amount: string }[];
}

/** What the heads of the page say of the whole queue, out of its cells. */
export function sumCells(
  cells: readonly DeskCell[],
  search: Pick<DeskSearch, "group" | "whose" | "show">,
): DeskSums {
  const me = "me";
  const assigned = { mine: me, nobody: null, others: "others" } as const;
  const holds = (cell: DeskCell, asked: typeof search) =>
    isShown(asked, cell, assigned[cell.whose], me);
  const count = (asked: typeof search, isIt: (cell: DeskCell) => boolean = () => true) =>
    cells.reduce((sum, cell) => sum + (holds(cell, asked) && isIt(cell) ? cell.count : 0), 0);
  const ofGroup = (group: Group | null) => count({ ...search, group });
  const open = { ...search, show: "open" } as const;
  const amounts = new Map<string, string>();
  for (const cell of cells)
    if (holds(cell, search))
      amounts.set(cell.currency, addDecimals(amounts.get(cell.currency) ?? "0", cell.amount));
  return {
    groups: {
      all: ofGroup(null),
      ...(Object.fromEntries(GROUPS.map((group) => [group, ofGroup(group)])) as Record<
        Group,
        number
      >),
    },
    promised: count(open, ({ turn }) => turn === "promised"),
    handled: count(open, ({ turn }) => turn === "handled"),
    snoozed: count({ ...search, show: "snoozed" }),
    broken: count(open, ({ is_broken, turn }) => is_broken && turn === "now"),
    amounts: [...amounts]
      .map(([currency, amount]) => ({ currency, amount }))
      .toSorted((one, other) => (one.currency < other.currency ? -1 : 1)),
  };
}
