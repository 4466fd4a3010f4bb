// The small build: this schema is the only one that every visitor of the list downloads.
import * as z from "zod/mini";
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

const wholeNumber = (fallback: number, largest: number) =>
  z.catch(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(largest)), fallback);

const SubscriptionSearch = z.object({
  status: z.catch(z.nullable(z.enum(STATUSES)), null),
  page: wholeNumber(1, 1_000_000),
  page_size: wholeNumber(DEFAULT_PAGE_SIZE, 100),
});
export type SubscriptionSearch = z.output<typeof SubscriptionSearch>;

type Parameters = URLSearchParams | Record<string, string | string[] | undefined>;

/** The list's state out of the address; what cannot be read falls back. */
export function parseSubscriptionSearch(parameters: Parameters): SubscriptionSearch {
  const given =
    parameters instanceof URLSearchParams ? Object.fromEntries(parameters) : parameters;
  return SubscriptionSearch.parse(given);
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
