import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import { scopePath, type Scope } from "#lib/scope.ts";
import { isDecimal } from "#lib/format/decimal.ts";
import { PAGING_FIELDS, type Paging } from "#lib/list-answer.ts";
import {
  calendarDayOrNull,
  defineSearch,
  oneOf,
  shortText,
  type ParameterField,
} from "#lib/search-params.ts";
import {
  DAY_FIELDS,
  SUBSCRIPTION_KINDS,
  SORTS,
  type DayBound,
  type FilterName,
  type Filters,
  type Sort,
  type SortColumn,
} from "#lib/search-index/query/subscription-filters.ts";
import { asciiDigits } from "#lib/text/fold-text.ts";

export const STATUS_FILTERS = [
  "active",
  "due",
  "pending_checkout",
  "pending_cancellation",
  "cancelled",
  "inactive",
] as const satisfies readonly SubscriptionStatus[];

export const MAX_SEARCH_TEXT_LENGTH = 200;
const LONGEST_NAME = 200;

export interface SubscriptionSearch extends Filters, Paging {
  /** The sort order; null for newest first or, with search text, best match first. */
  sort: Sort | null;
}

function everyDayEnd<Value>(value: Value): Record<DayBound, Value> {
  const ends = DAY_FIELDS.flatMap((name): DayBound[] => [`${name}_from`, `${name}_to`]);
  return Object.fromEntries(ends.map((end) => [end, value])) as Record<DayBound, Value>;
}

const PRICE: ParameterField<string | null> = { read: readPrice, write: (value) => value };

const FILTER_FIELDS: { [Name in FilterName]: ParameterField<Filters[Name]> } = {
  status: oneOf(SUBSCRIPTION_STATUSES),
  kind: oneOf(SUBSCRIPTION_KINDS),
  product: shortText(LONGEST_NAME),
  plan: shortText(LONGEST_NAME),
  tag: shortText(LONGEST_NAME),
  ...everyDayEnd(calendarDayOrNull()),
  price_from: PRICE,
  price_to: PRICE,
  price_over: PRICE,
  price_under: PRICE,
};
const FILTER_NAMES = Object.keys(FILTER_FIELDS) as FilterName[];

const LIST = defineSearch<SubscriptionSearch>({
  ...FILTER_FIELDS,
  sort: { read: readSort, write: (value) => value },
  ...PAGING_FIELDS,
});

export const parseSubscriptionSearch = LIST.parse;
/** The query string of a list. Leaves out defaults, so that one list has one URL. */
export const subscriptionQueryString = LIST.toQuery;

export const ALL_SUBSCRIPTIONS = parseSubscriptionSearch({});
/** The list's first rows, as many as a panel of the overview shows. */
export const NEWEST_SUBSCRIPTIONS = { ...ALL_SUBSCRIPTIONS, page_size: 6 };
export const NO_FILTERS = filtersOf(ALL_SUBSCRIPTIONS);

/** Reads "1,500.50" as "1500.50"; null if it is not an amount. */
export function readPrice(text: string): string | null {
  const plain = asciiDigits(text).replace(/[,\s]/g, "");
  return plain.length <= 20 && isDecimal(plain) ? plain : null;
}

function readSort(text: string): Sort | null {
  const column = SORTS.find((known) => known === text.replace(/^-/, ""));
  return column ? (text.startsWith("-") ? `-${column}` : column) : null;
}

export function filtersOf(search: SubscriptionSearch): Filters {
  const given = FILTER_NAMES.map((name) => [name, search[name]]);
  return Object.fromEntries(given) as unknown as Filters;
}

/** Whether the API can answer the search: it filters by status only and does not sort. */
export function isSupportedByApi(search: SubscriptionSearch): boolean {
  return (
    search.sort === null &&
    FILTER_NAMES.every((name) => name === "status" || search[name] === null)
  );
}

export function wholeQueryString({
  page: _page,
  page_size: _size,
  ...list
}: SubscriptionSearch) {
  return subscriptionQueryString(list);
}

export function subscriptionsPath(scope: Scope, search: Partial<SubscriptionSearch>): string {
  return scopePath(scope, `/subscriptions${subscriptionQueryString(search)}`);
}

export function subscriptionPath(scope: Scope, subscription_id: string): string {
  return scopePath(scope, `/subscriptions/${encodeURIComponent(subscription_id)}`);
}

/**
 * Filters for one tab: a status, one-time purchases, or everything. The API counts paid one-time
 * purchases as active; where there are any, the active tab excludes them.
 */
export function tabFilters(
  name: Filters["status"] | "one_time",
  counts: { one_time: number } | null,
): Pick<SubscriptionSearch, "status" | "kind"> {
  if (name === "one_time") return { status: null, kind: name };
  const isMixed = name === "active" && (counts?.one_time ?? 0) > 0;
  return { status: name, kind: isMixed ? "recurring" : null };
}

export function nextSort(sort: Sort | null, column: SortColumn): Sort | null {
  if (sort === column) return `-${column}`;
  return sort === `-${column}` ? null : column;
}

/** Values of `?created=` on the page of a new subscription. */
const CREATED = ["1", "reused", "unsure"] as const;
export type CreatedParameter = (typeof CREATED)[number];

export function createdParameter(is_reused: boolean | null): CreatedParameter {
  if (is_reused === null) return "unsure";
  return is_reused ? "reused" : "1";
}

export const parseCreated = (text: string | null): CreatedParameter | null =>
  CREATED.find((known) => known === text) ?? null;
