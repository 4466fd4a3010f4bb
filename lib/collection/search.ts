import { scopePath, type Scope } from "#lib/scope.ts";
import {
  defineSearch,
  oneOf,
  oneOfWithDefault,
  shortText,
  uuidOrNull,
  type UrlParameters,
  type SearchOf,
} from "#lib/search-params.ts";

/** Groups of the queue; `failed` overlaps with the others. */
export const QUEUE_GROUPS = ["grace", "due", "failed", "waiting", "soon"] as const;
export type QueueGroup = (typeof QUEUE_GROUPS)[number];

export const ASSIGNEE_FILTERS = ["anybody", "mine", "nobody"] as const;
export type AssigneeFilter = (typeof ASSIGNEE_FILTERS)[number];

/**
 * Snoozed buyers are hidden until their day; promised ones come last. `today` are those who promised
 * to pay today, `broken` those whose promised day has passed.
 */
export const ENTRY_FILTERS = ["open", "promised", "today", "broken", "snoozed"] as const;
export type EntryFilter = (typeof ENTRY_FILTERS)[number];

/** Choices for how many days ahead a subscription counts as soon due. */
export const DAYS_AHEAD_CHOICES = [3, 7, 14, 30] as const;
export type DaysAheadChoice = (typeof DAYS_AHEAD_CHOICES)[number];
const USUAL_AHEAD: DaysAheadChoice = 7;

const LONGEST_NAME = 200;

/** Filters of the queue, which are in the URL; the search text is not, because it may name a buyer. */
const filterFields = {
  /** A group of the queue; null for all. */
  group: oneOf(QUEUE_GROUPS),
  whose: oneOfWithDefault(ASSIGNEE_FILTERS, "anybody"),
  show: oneOfWithDefault(ENTRY_FILTERS, "open"),
  /** A product's name, a part of it, or an id. */
  product: shortText(LONGEST_NAME),
  ahead: oneOfWithDefault(DAYS_AHEAD_CHOICES, USUAL_AHEAD),
  /** The import that has made the subscriptions; null for all. */
  import_run: uuidOrNull(),
};
const queueSearch = defineSearch(filterFields);
export type QueueSearch = SearchOf<typeof queueSearch>;
export const parseQueueSearch = queueSearch.parse;

/** The URL's parameters: filters, the open buyer and the cursor. */
const queueUrl = defineSearch({
  ...filterFields,
  buyer: shortText(LONGEST_NAME),
  after: {
    read: (text) => (parseCursor(text) === null ? null : text),
    write: (place: string | null) => place,
  },
});
type Position = Partial<Pick<SearchOf<typeof queueUrl>, "buyer" | "after">>;

export const queueQueryString = (search: QueueSearch, position: Position = {}): string =>
  queueUrl.toQuery({ ...search, ...position });

export const queuePath = (scope: Scope, search: QueueSearch, position: Position = {}) =>
  scopePath(scope, `/collection${queueQueryString(search, position)}`);

/** The subscription whose buyer is open; null for none. */
export const openBuyerFrom = (parameters: UrlParameters) => queueUrl.parse(parameters).buyer;

/** The cursor after which the page begins; null for the first page. */
export const queueCursorFrom = (parameters: UrlParameters) => queueUrl.parse(parameters).after;

/** The sort keys of the entry before the page. */
export interface Cursor {
  band: number;
  days: number;
  /** The amount to collect, as a decimal text. */
  amount: string;
  id: string;
}

export const printCursor = ({ band, days, amount, id }: Cursor) =>
  [band, days, amount, id].join("_");

/** Reads a cursor from a URL; null if malformed. */
export function parseCursor(text: string): Cursor | null {
  const [, band, days, amount = "", id = ""] =
    /^(\d)_(-?\d{1,6})_(\d{1,30}(?:\.\d{1,30})?)_(.{1,200})$/.exec(text) ?? [];
  return band === undefined || days === undefined
    ? null
    : { band: Number(band), days: Number(days), amount, id };
}

/**
 * @param assigned id of the assigned member, null for none
 */
export function passesFilters(
  { group, whose, show }: Pick<QueueSearch, "group" | "whose" | "show">,
  status: {
    group: Exclude<QueueGroup, "failed"> | null;
    turn: string;
    is_failed: boolean;
    is_broken: boolean;
    is_for_today: boolean;
  },
  assigned: string | null,
  person_id: string,
): boolean {
  const isOfGroup =
    group === null || (group === "failed" ? status.is_failed : status.group === group);
  const isSnoozed = status.turn === "snoozed";
  const isOfShow = {
    open: !isSnoozed,
    promised: status.turn === "promised",
    today: status.is_for_today,
    broken: status.is_broken && !isSnoozed,
    snoozed: isSnoozed,
  }[show];
  const isOfWhose =
    whose === "anybody" || (whose === "mine" ? assigned === person_id : assigned === null);
  return isOfGroup && isOfShow && isOfWhose;
}
