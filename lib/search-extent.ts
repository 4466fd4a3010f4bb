import type { Translate } from "./i18n/translate.ts";

/** How far a list was looked through, from the newest on: the service cannot be asked for everything. */
export interface SearchExtent {
  /** Rows. */
  searched: number;
  /** Of the whole list; null when the service does not say. */
  total: number | null;
  is_complete: boolean;
}

/** What the rows are. */
export type ExtentNoun = "customer" | "subscription" | "dueSubscription" | "activeSubscription";

/** "the newest 1,000 of 12,345 subscriptions", or "all 7 subscriptions". */
export function describeExtent(
  t: Translate<"format">,
  { searched: count, total, is_complete }: SearchExtent,
  noun: ExtentNoun,
): string {
  if (is_complete) return t(`looked.all.${noun}`, { count });
  return total !== null && total > count
    ? t(`looked.newestOf.${noun}`, { count, total })
    : t(`looked.newest.${noun}`, { count });
}
