import { sumToPay } from "#lib/money/debt.ts";
import type { ToPay } from "#lib/format/format.ts";
import type { EntryState } from "./rules.ts";
import { GROUPS, isShown, type QueueSearch, type Group } from "./search.ts";

/** A count of buyers by their state. */
export interface QueueCount {
  group: Exclude<Group, "failed">;
  turn: EntryState;
  is_failed: boolean;
  is_broken: boolean;
  whose: "mine" | "nobody" | "others";
  currency: string;
  count: number;
  amount: string;
  /** Whether some of it is a list price. */
  is_list_price: boolean;
}

export interface QueueTotals {
  /** Counts of each tab under the other filters. */
  groups: Record<Group | "all", number>;
  /** Promised and snoozed buyers, whether shown or not. */
  promised: number;
  handled: number;
  snoozed: number;
  broken: number;
  /** Amounts to collect of the shown buyers, by currency. */
  amounts: ToPay[];
}

/** Sums the counts for the page's tabs, filters and heading. */
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
