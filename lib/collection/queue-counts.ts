import { sumToPay } from "#lib/money/debt.ts";
import type { ToPay } from "#lib/format/format.ts";
import type { EntryState } from "./rules.ts";
import { GROUPS, isShown, type QueueSearch, type Group } from "./search.ts";

/** How many stand so, as the database counted them. */
export interface QueueCount {
  group: Exclude<Group, "failed">;
  turn: EntryState;
  is_failed: boolean;
  is_broken: boolean;
  whose: "mine" | "nobody" | "others";
  currency: string;
  count: number;
  amount: string;
  /** Whether only the list price is known of some of it. */
  is_list_price: boolean;
}

export interface QueueTotals {
  /** Of each tab, under the other filters. */
  groups: Record<Group | "all", number>;
  /** What rests, whichever of it is shown. */
  promised: number;
  handled: number;
  snoozed: number;
  broken: number;
  /** What can be lost of what is shown, by currency. */
  amounts: ToPay[];
}

/** What the heads of the page say of the whole queue, out of its cells. */
export function sumCounts(
  cells: readonly QueueCount[],
  search: Pick<QueueSearch, "group" | "whose" | "show">,
): QueueTotals {
  const me = "me";
  const assigned = { mine: me, nobody: null, others: "others" } as const;
  const holds = (cell: QueueCount, asked: typeof search) =>
    isShown(asked, cell, assigned[cell.whose], me);
  const count = (asked: typeof search, isIt: (cell: QueueCount) => boolean = () => true) =>
    cells.reduce((sum, cell) => sum + (holds(cell, asked) && isIt(cell) ? cell.count : 0), 0);
  const ofGroup = (group: Group | null) => count({ ...search, group });
  const open = { ...search, show: "open" } as const;
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
    amounts: sumToPay(cells.filter((cell) => holds(cell, search))),
  };
}
