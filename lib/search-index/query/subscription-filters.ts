import type { SubscriptionStatus } from "#contract/subscriptions.ts";

/** Columns that the search index can sort subscriptions by. */
export const SORTS = [
  "created",
  "next_billing",
  "buyer",
  "phone",
  "product",
  "price",
  "status",
] as const;
export type SortColumn = (typeof SORTS)[number];
/** A sort order; a leading minus means descending. */
export type Sort = SortColumn | `-${SortColumn}`;

/** Dates to filter by: the subscription's own, then those of changes that the index has seen. */
export const DAY_FIELDS = ["next", "created", "started", "lost", "saved", "paid"] as const;
export type DayField = (typeof DAY_FIELDS)[number];
export type DayBound = `${DayField}_${"from" | "to"}`;

/** Paid one-time purchases, or everything but one-time purchases. */
export const SUBSCRIPTION_KINDS = ["one_time", "recurring"] as const;
type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number];

/**
 * Filters of the list of subscriptions. None names a buyer, so all of them may stand in a URL.
 * Days are YYYY-MM-DD in the seller's time zone; both ends are included.
 */
export interface Filters extends Record<DayBound, string | null> {
  status: SubscriptionStatus | null;
  kind: SubscriptionKind | null;
  /** A product's name, a part of it, or an id. */
  product: string | null;
  plan: string | null;
  /** The name of a tag of the customer. */
  tag: string | null;
  /** Price bounds as decimal texts: at least, at most, more than, less than. */
  price_from: string | null;
  price_to: string | null;
  price_over: string | null;
  price_under: string | null;
}
export type FilterName = keyof Filters;
