import type { SUBSCRIPTION_STATUSES } from "#contract/subscription-statuses.ts";
import { SUBSCRIPTION_STATUSES as STATUSES } from "#contract/subscription-statuses.ts";
import { scopePath, type Scope } from "#lib/scope.ts";
import { asciiDigits } from "#lib/text/fold-text.ts";
import { isDecimal } from "#lib/format/decimal.ts";
import { appendPaging, parsePaging, type Paging } from "#lib/paging.ts";
import { parameterReader, type Parameters } from "#lib/search-params.ts";

/** Columns that a list from the copy can be sorted by. */
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
/** With a minus the other way round, from the last to the first. */
export type Sort = SortColumn | `-${SortColumn}`;

export const LONGEST_WORDS = 200;
const LONGEST_NAME = 200;

/** What a day can be asked of: the record's own dates, then what the copy saw happen to it. */
export const DAY_FIELDS = ["next", "created", "started", "lost", "saved", "paid"] as const;
export type DayField = (typeof DAY_FIELDS)[number];
export type DayEnd = `${DayField}_${"from" | "to"}`;

/**
 * What narrows the list; none of it says anything of a buyer, so all of it may stand in an address.
 * Days are those of the seller's zone, YYYY-MM-DD, and both ends are in a range.
 */
export interface Filters extends Record<DayEnd, string | null> {
  status: (typeof SUBSCRIPTION_STATUSES)[number] | null;
  kind: Kind | null;
  /** A name, a part of one, or an id. */
  product: string | null;
  plan: string | null;
  /** Decimal texts; at least and at most, then more and less than. */
  price_from: string | null;
  price_to: string | null;
  price_over: string | null;
  price_under: string | null;
}
export type FilterName = keyof Filters;

/** Paid one-time purchases, or all but them. */
export const KINDS = ["one_time", "recurring"] as const;
export type Kind = (typeof KINDS)[number];

/** The address of the list of subscriptions, as far as the copy is asked. */
export interface FindSearch extends Filters, Paging {
  /** Null for the newest first, or the nearest to what was typed. */
  sort: Sort | null;
}

function everyDayEnd<Value>(read: (end: DayEnd) => Value): Record<DayEnd, Value> {
  const ends = DAY_FIELDS.flatMap((field): DayEnd[] => [`${field}_from`, `${field}_to`]);
  return Object.fromEntries(ends.map((end) => [end, read(end)])) as Record<DayEnd, Value>;
}

export const NO_FILTERS: Filters = {
  status: null,
  kind: null,
  product: null,
  plan: null,
  ...everyDayEnd(() => null),
  price_from: null,
  price_to: null,
  price_over: null,
  price_under: null,
};
export const FILTER_NAMES = Object.keys(NO_FILTERS) as FilterName[];

/** Out of an address or a form; what cannot be read is left out. */
export function parseFindSearch(parameters: Parameters | FormData): FindSearch {
  const { text, day } = parameterReader(parameters);
  const name = (key: FilterName) => text(key).slice(0, LONGEST_NAME) || null;
  return {
    status: STATUSES.find((known) => known === text("status")) ?? null,
    kind: KINDS.find((known) => known === text("kind")) ?? null,
    product: name("product"),
    plan: name("plan"),
    ...everyDayEnd(day),
    price_from: readPrice(text("price_from")),
    price_to: readPrice(text("price_to")),
    price_over: readPrice(text("price_over")),
    price_under: readPrice(text("price_under")),
    sort: readSort(text("sort")),
    ...(parameters instanceof FormData ? parsePaging({}) : parsePaging(parameters)),
  };
}

/** "1,500.50" as "1500.50"; null for what is no amount. */
export function readPrice(text: string): string | null {
  const plain = asciiDigits(text).replace(/[,\s]/g, "");
  return plain.length <= 20 && isDecimal(plain) ? plain : null;
}

export function readSort(text: string): Sort | null {
  const column = SORTS.find((known) => known === text.replace(/^-/, ""));
  return column ? (text.startsWith("-") ? `-${column}` : column) : null;
}

/** Whether the API itself can list it: it knows a status, a page and nothing else. */
export function isPlain(search: FindSearch): boolean {
  return (
    search.sort === null &&
    FILTER_NAMES.every((name) => name === "status" || search[name] === null)
  );
}

export function filtersOf(search: FindSearch): Filters {
  const given = FILTER_NAMES.map((name) => [name, search[name]]);
  return Object.fromEntries(given) as unknown as Filters;
}

/** Only what differs from the default, so that one view has one address. */
export function findQueryString(search: Partial<FindSearch>): string {
  const parameters = new URLSearchParams();
  for (const name of [...FILTER_NAMES, "sort"] as const) {
    const value = search[name];
    if (value) parameters.set(name, value);
  }
  appendPaging(parameters, search);
  const text = parameters.toString();
  return text && `?${text}`;
}

/** Of the whole list, whichever of its pages is looked at. */
export function wholeQueryString({ page: _page, page_size: _size, ...list }: FindSearch) {
  return findQueryString(list);
}

export function findPath(scope: Scope, search: Partial<FindSearch>): string {
  return scopePath(scope, `/subscriptions${findQueryString(search)}`);
}

/**
 * The list of a status, of paid one-time purchases, or of all. The service lists those as active for
 * ever: where there are any, the copy lists the active ones without them.
 */
export function listOf(
  name: Filters["status"] | "one_time",
  counts: { one_time: number } | null,
): Pick<FindSearch, "status" | "kind"> {
  if (name === "one_time") return { status: null, kind: name };
  const isMixed = name === "active" && (counts?.one_time ?? 0) > 0;
  return { status: name, kind: isMixed ? "recurring" : null };
}

/** What a press on a column's head asks for: upwards, downwards, then as before. */
export function nextSort(sort: Sort | null, column: SortColumn): Sort | null {
  if (sort === column) return `-${column}`;
  return sort === `-${column}` ? null : column;
}
