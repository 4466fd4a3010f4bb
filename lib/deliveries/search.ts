import { EVENT_KINDS } from "#contract/names.ts";
import type { DeliveryState } from "#contract/deliveries.ts";
import { type Scope, scopePath } from "#lib/scope.ts";
import {
  calendarDayOrNull,
  defineSearch,
  textMatching,
  oneOf,
  type UrlParameters,
  type SearchOf,
  uuidOrNull,
  wholeNumber,
} from "#lib/search-params.ts";

// A copy: importing the contract's list would add its schemas to the page script.
export const DELIVERY_STATES = [
  "pending",
  "retrying",
  "delivered",
  "failed",
  "skipped",
] as const satisfies readonly DeliveryState[];

const LARGEST_ID = 999_999_999_999_999;

const deliverySearch = defineSearch({
  state: oneOf(DELIVERY_STATES),
  event: oneOf(EVENT_KINDS),
  webhook: wholeNumber(LARGEST_ID),
  subscription: uuidOrNull(),
  /** Days in the seller's time zone; both are included. */
  from: calendarDayOrNull(),
  to: calendarDayOrNull(),
  /** The id of the last delivery on the previous page. */
  before: wholeNumber(LARGEST_ID),
});
export type DeliverySearch = SearchOf<typeof deliverySearch>;
export const { parse: parseDeliverySearch, toQuery: deliveryQueryString } = deliverySearch;

/** Whether no filter is set; the position in the list does not count. */
export const isUnfilteredDeliveries = (search: DeliverySearch): boolean =>
  deliveryQueryString({ ...search, before: null }) === "";

export function deliveriesPath(scope: Scope, search: Partial<DeliverySearch> = {}): string {
  return scopePath(scope, `/settings/webhooks/deliveries${deliveryQueryString(search)}`);
}

export function deliveryPath(scope: Scope, id: number): string {
  return scopePath(scope, `/settings/webhooks/deliveries/${id}`);
}

const ID = /^[1-9]\d{0,14}$/;

const examineSearch = defineSearch({
  /** The id of a sent delivery. */
  delivery: textMatching(ID),
  /** The number of its attempt, from 1. */
  attempt: wholeNumber(99_999),
  /** The id of a received delivery; the other two are null then. */
  received: textMatching(ID),
});
export type ExamineSearch = SearchOf<typeof examineSearch>;

/** Reads which delivery to examine; unreadable values are ignored. */
export function parseExamineSearch(parameters: UrlParameters): ExamineSearch {
  const search = examineSearch.parse(parameters);
  return search.received === null ? search : { ...search, delivery: null, attempt: null };
}

/** The path of the page that examines a delivery, without seller and mode. */
export const examinePath = (search: Partial<ExamineSearch> = {}): string =>
  `/settings/webhooks/deliveries/examine${examineSearch.toQuery(search)}`;
