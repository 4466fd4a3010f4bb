import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import { scopePath, type Scope } from "#lib/scope.ts";
import { appendPaging, PAGE_SIZES, parsePaging, type Paging } from "#lib/paging.ts";
import { plainParameters, type Parameters } from "#lib/search-params.ts";

/** In the order in which a list is asked for them. */
export const STATUSES = [
  "active",
  "due",
  "pending_checkout",
  "pending_cancellation",
  "cancelled",
  "inactive",
] as const satisfies readonly SubscriptionStatus[];

export { PAGE_SIZES };

/** The shape of the list's address, for the page, the route and the table alike. */
export interface SubscriptionSearch extends Paging {
  /** Null for every status. */
  status: SubscriptionStatus | null;
}

/**
 * The list's state out of its address; what cannot be read falls back. By hand and not by a schema:
 * zod would be an eighth of all the script that the list loads.
 */
export function parseSubscriptionSearch(parameters: Parameters): SubscriptionSearch {
  const given = plainParameters(parameters);
  const status = STATUSES.find((known) => known === given["status"]) ?? null;
  return { status, ...parsePaging(given) };
}

/** Only what differs from the default, so that one view has one address. */
export function subscriptionQueryString(search: Partial<SubscriptionSearch>): string {
  const parameters = new URLSearchParams();
  if (search.status) parameters.set("status", search.status);
  appendPaging(parameters, search);
  const text = parameters.toString();
  return text && `?${text}`;
}

export function subscriptionsPath(scope: Scope, search: Partial<SubscriptionSearch>): string {
  return scopePath(scope, `/subscriptions${subscriptionQueryString(search)}`);
}

/** What the page of a record says of one that was just asked for. */
const CREATED = ["1", "reused", "unsure"] as const;
export type Created = (typeof CREATED)[number];

/** @param is_reused null when nobody can say */
export function createdMark(is_reused: boolean | null): Created {
  if (is_reused === null) return "unsure";
  return is_reused ? "reused" : "1";
}

export const asCreated = (text: string | null): Created | null =>
  CREATED.find((known) => known === text) ?? null;

export function subscriptionPath(scope: Scope, subscription_id: string): string {
  return scopePath(scope, `/subscriptions/${encodeURIComponent(subscription_id)}`);
}
