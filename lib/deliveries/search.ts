import { EVENT_KINDS, type EventKind } from "#contract/events.ts";
import type { DeliveryState } from "#contract/deliveries.ts";
import { scopePath, type Scope } from "#lib/scope.ts";
import { parameterReader, queryString, type Parameters } from "#lib/search-params.ts";

// Written out, because the contract's list would bring all its schemas into the browser.
export const STATES = [
  "pending",
  "retrying",
  "delivered",
  "failed",
  "skipped",
] as const satisfies readonly DeliveryState[];

/** The shape of the list's address; null for what does not narrow it. */
export interface DeliverySearch {
  state: DeliveryState | null;
  event: EventKind | null;
  /** A registration's id. */
  webhook: number | null;
  subscription: string | null;
  /** Days in the seller's zone, both included. */
  from: string | null;
  to: string | null;
  /** The id of the last delivery of the page before. */
  before: number | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What cannot be read does not narrow. */
export function parseDeliverySearch(parameters: Parameters | FormData): DeliverySearch {
  const { text, read, day } = parameterReader(parameters);
  const id = (name: string) => (/^[1-9]\d{0,14}$/.test(text(name)) ? Number(text(name)) : null);
  return {
    state: STATES.find((state) => state === text("state")) ?? null,
    event: EVENT_KINDS.find((event) => event === text("event")) ?? null,
    webhook: id("webhook"),
    subscription: read("subscription", UUID)?.toLowerCase() ?? null,
    from: day("from"),
    to: day("to"),
    before: id("before"),
  };
}

/** Nothing narrows it but the place in it. */
export function isWholeList({ before: _place, ...filters }: DeliverySearch): boolean {
  return Object.values(filters).every((value) => value === null);
}

export const deliveryQueryString = (search: Partial<DeliverySearch>) => queryString(search);

export function deliveriesPath(scope: Scope, search: Partial<DeliverySearch> = {}): string {
  return scopePath(scope, `/settings/webhooks/deliveries${deliveryQueryString(search)}`);
}

export function deliveryPath(scope: Scope, id: number): string {
  return scopePath(scope, `/settings/webhooks/deliveries/${id}`);
}
