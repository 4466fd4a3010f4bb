import type { SubscriptionStatus } from "#contract/subscriptions.ts";

// Written out, because the contract's list would bring all its schemas into the browser.
export const STATUSES = [
  "active",
  "due",
  "pending_checkout",
  "pending_cancellation",
  "cancelled",
  "inactive",
] as const satisfies readonly SubscriptionStatus[];

export const PAGE_SIZES = [20, 50, 100] as const;
const DEFAULT_PAGE_SIZE = 20;
const LARGEST_PAGE_SIZE = 100;
const LARGEST_PAGE = 1_000_000;

/** The shape of the list's address, for the page, the route and the table alike. */
export interface SubscriptionSearch {
  /** Null for every status. */
  status: SubscriptionStatus | null;
  page: number;
  page_size: number;
}

type Parameters = URLSearchParams | Record<string, string | string[] | undefined>;

/**
 * The list's state out of its address; what cannot be read falls back. By hand and not by a schema:
 * zod would be an eighth of all the script that the list loads.
 */
export function parseSubscriptionSearch(parameters: Parameters): SubscriptionSearch {
  const given =
    parameters instanceof URLSearchParams ? Object.fromEntries(parameters) : parameters;
  return {
    status: STATUSES.find((status) => status === given["status"]) ?? null,
    page: wholeNumber(given["page"], LARGEST_PAGE) ?? 1,
    page_size: wholeNumber(given["page_size"], LARGEST_PAGE_SIZE) ?? DEFAULT_PAGE_SIZE,
  };
}

function wholeNumber(text: string | string[] | undefined, largest: number): number | null {
  if (typeof text !== "string" || !/^[1-9]\d{0,9}$/.test(text)) return null;
  return Number(text) <= largest ? Number(text) : null;
}

/** Only what differs from the default, so that one view has one address. */
export function subscriptionQueryString(search: Partial<SubscriptionSearch>): string {
  const parameters = new URLSearchParams();
  if (search.status) parameters.set("status", search.status);
  if (search.page && search.page > 1) parameters.set("page", String(search.page));
  if (search.page_size && search.page_size !== DEFAULT_PAGE_SIZE) {
    parameters.set("page_size", String(search.page_size));
  }
  const text = parameters.toString();
  return text && `?${text}`;
}

export function subscriptionsPath(search: Partial<SubscriptionSearch>): string {
  return `/subscriptions${subscriptionQueryString(search)}`;
}

export function subscriptionPath(subscription_id: string): string {
  return `/subscriptions/${encodeURIComponent(subscription_id)}`;
}
