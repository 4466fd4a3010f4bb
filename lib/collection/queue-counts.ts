import { addDecimals } from "#lib/format/decimal.ts";
import { sumToPay } from "#lib/money/debt.ts";
import type { EntryState } from "./rules.ts";
import { QUEUE_GROUPS, passesFilters, type QueueSearch, type QueueGroup } from "./search.ts";

/** A count of buyers by their state. */
export interface QueueCount {
  group: Exclude<QueueGroup, "failed">;
  turn: EntryState;
  is_failed: boolean;
  is_broken: boolean;
  /** Whether these buyers promised to pay today. */
  is_for_today: boolean;
  whose: "mine" | "nobody" | "others";
  currency: string;
  count: number;
  amount: string;
  /** Whether the amount includes list prices, because the price of a subscription is unknown. */
  is_list_price: boolean;
}

/** Adds counts of the same state and currency. */
export function mergeCounts(cells: readonly QueueCount[]): QueueCount[] {
  const merged = new Map<string, QueueCount>();
  for (const cell of cells) {
    const { count, amount, is_list_price, group, turn, is_failed, is_broken, is_for_today } =
      cell;
    const { whose, currency } = cell;
    const key = [group, turn, is_failed, is_broken, is_for_today, whose, currency].join(" ");
    const known = merged.get(key);
    merged.set(key, {
      ...cell,
      count: count + (known?.count ?? 0),
      amount: addDecimals(amount, known?.amount ?? "0"),
      is_list_price: is_list_price || known?.is_list_price === true,
    });
  }
  return [...merged.values()];
}

/** Sums the counts for the page's tabs, filters and heading. */
export function sumCounts(
  cells: readonly QueueCount[],
  search: Pick<QueueSearch, "group" | "whose" | "show">,
) {
  const me = "me";
  const assigned = { mine: me, nobody: null, others: "others" } as const;
  const shown = (asked: typeof search) =>
    cells.filter((cell) => passesFilters(asked, cell, assigned[cell.whose], me));
  const count = (asked: typeof search) =>
    shown(asked).reduce((sum, cell) => sum + cell.count, 0);
  const ofGroup = (group: QueueGroup | null) => count({ ...search, group });
  return {
    /** The count of each tab under the other filters. */
    groups: {
      all: ofGroup(null),
      ...(Object.fromEntries(QUEUE_GROUPS.map((group) => [group, ofGroup(group)])) as Record<
        QueueGroup,
        number
      >),
    },
    promised: count({ ...search, show: "promised" }),
    today: count({ ...search, show: "today" }),
    broken: count({ ...search, show: "broken" }),
    snoozed: count({ ...search, show: "snoozed" }),
    /** Amounts to collect of the shown buyers, by currency. */
    amounts: sumToPay(shown(search)),
  };
}
