/** The column that links to the record; it can be moved, but not hidden. */
export const MAIN_COLUMN = "buyer";

/** The columns in their default order. */
export const SUBSCRIPTION_COLUMNS = [
  "buyer",
  "phone",
  "product",
  "price",
  "status",
  "next_billing",
  "created",
] as const;
export type SubscriptionColumn = (typeof SUBSCRIPTION_COLUMNS)[number];

/** The stored columns that still exist; all columns if none were stored. */
export function readColumns(stored: readonly string[] | null): SubscriptionColumn[] {
  if (stored === null) return [...SUBSCRIPTION_COLUMNS];
  const known = [...new Set(stored)].flatMap(
    (id) => SUBSCRIPTION_COLUMNS.find((column) => column === id) ?? [],
  );
  return known.includes(MAIN_COLUMN) ? known : [MAIN_COLUMN, ...known];
}

/** All columns: the shown ones in their order, then the hidden ones. */
export function arrangeColumns(shown: readonly SubscriptionColumn[]): SubscriptionColumn[] {
  return [...shown, ...SUBSCRIPTION_COLUMNS.filter((column) => !shown.includes(column))];
}

/** Moves one column a place up (-1) or down (1). */
export function moveColumn<Column>(
  columns: readonly Column[],
  at: number,
  by: -1 | 1,
): Column[] {
  const moved = [...columns];
  const [column] = moved.splice(at, 1);
  if (column !== undefined) moved.splice(Math.max(0, at + by), 0, column);
  return moved;
}

export const isDefault = (shown: readonly SubscriptionColumn[]) =>
  shown.length === SUBSCRIPTION_COLUMNS.length &&
  shown.every((column, at) => column === SUBSCRIPTION_COLUMNS[at]);
