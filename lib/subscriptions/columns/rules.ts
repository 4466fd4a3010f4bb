/** The column that leads to the record: it is moved like the others, but never hidden. */
export const MAIN_COLUMN = "buyer";

/** Every column of the subscriptions list, in the order in which it comes. */
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

/** What was stored, as far as these columns still exist; all of them when nothing was. */
export function readColumns(stored: readonly string[] | null): SubscriptionColumn[] {
  if (stored === null) return [...SUBSCRIPTION_COLUMNS];
  const known = [...new Set(stored)].flatMap(
    (id) => SUBSCRIPTION_COLUMNS.find((column) => column === id) ?? [],
  );
  return known.includes(MAIN_COLUMN) ? known : [MAIN_COLUMN, ...known];
}

/** All of them for choosing from: those shown in their order, then the hidden ones. */
export function arrangeColumns(shown: readonly SubscriptionColumn[]): SubscriptionColumn[] {
  return [...shown, ...SUBSCRIPTION_COLUMNS.filter((column) => !shown.includes(column))];
}

/** The same with one of them a place further up (-1) or down (1). */
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
