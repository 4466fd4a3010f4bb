import type { Translate } from "./i18n/translate.ts";

/** How far a list was looked through, from the newest on: the service cannot be asked for everything. */
export interface Looked {
  /** Rows. */
  looked: number;
  /** Of the whole list; null when the service does not say. */
  total: number | null;
  is_complete: boolean;
}

/** What the rows are. */
export type LookedNoun = "customer" | "subscription" | "dueSubscription" | "activeSubscription";

/** "the newest 1,000 of 12,345 subscriptions", or "all 7 subscriptions". */
export function describeLooked(
  t: Translate<"format">,
  { looked: count, total, is_complete }: Looked,
  noun: LookedNoun,
): string {
  if (is_complete) return t(`looked.all.${noun}`, { count });
  return total !== null && total > count
    ? t(`looked.newestOf.${noun}`, { count, total })
    : t(`looked.newest.${noun}`, { count });
}
