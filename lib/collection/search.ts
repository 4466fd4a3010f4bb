import { scopePath, type Scope } from "#lib/scope.ts";
import {
  defineSearch,
  oneOf,
  oneOfOr,
  shortText,
  type Parameters,
  type SearchOf,
} from "#lib/search-params.ts";

/** Why a buyer stands in the queue; a failed payment comes to any of the others. */
export const GROUPS = ["grace", "due", "failed", "waiting", "soon"] as const;
export type Group = (typeof GROUPS)[number];

export const WHOSE = ["anybody", "mine", "nobody"] as const;
export type Whose = (typeof WHOSE)[number];

/** What is snoozed is hidden until its day; what was promised stands below. */
export const SHOWS = ["open", "promised", "snoozed"] as const;
export type Show = (typeof SHOWS)[number];

/** How many days ahead "about to be due" looks. */
export const AHEAD = [3, 7, 14, 30] as const;
export type Ahead = (typeof AHEAD)[number];
export const USUAL_AHEAD: Ahead = 7;

const LONGEST_NAME = 200;

/** Which part of the queue is shown; only an id tells anything about a buyer. */
const deskFields = {
  /** Null for all groups. */
  group: oneOf(GROUPS),
  whose: oneOfOr(WHOSE, "anybody"),
  show: oneOfOr(SHOWS, "open"),
  /** A product's name, a part of it, or an id. */
  product: shortText(LONGEST_NAME),
  ahead: oneOfOr(AHEAD, USUAL_AHEAD),
};
const deskSearch = defineSearch(deskFields);
export type QueueSearch = SearchOf<typeof deskSearch>;
export const parseQueueSearch = deskSearch.parse;

/** The whole address of the desk: beside the filters, which buyer is open and where the page begins. */
const deskAddress = defineSearch({
  ...deskFields,
  /** The subscription whose buyer is open. */
  buyer: shortText(LONGEST_NAME),
  after: {
    read: (text) => (parseCursor(text) === null ? null : text),
    write: (place: string | null) => place,
  },
});
type Position = Partial<Pick<SearchOf<typeof deskAddress>, "buyer" | "after">>;

export const queueQueryString = (search: QueueSearch, position: Position = {}): string =>
  deskAddress.toQuery({ ...search, ...position });

export const queuePath = (scope: Scope, search: QueueSearch, position: Position = {}) =>
  scopePath(scope, `/collection${queueQueryString(search, position)}`);

/** The subscription whose buyer is open; null for none. */
export const buyerAt = (parameters: Parameters) => deskAddress.parse(parameters).buyer;

/** The cursor after which the page begins; null for the first page. */
export const cursorAt = (parameters: Parameters) => deskAddress.parse(parameters).after;

/** Behind which entry a page begins: its place in the order. */
export interface Cursor {
  band: number;
  days: number;
  /** A decimal text. */
  amount: string;
  id: string;
}

export const printCursor = ({ band, days, amount, id }: Cursor) =>
  [band, days, amount, id].join("_");

/** Null for what is no place. */
export function parseCursor(text: string): Cursor | null {
  const [, band, days, amount = "", id = ""] =
    /^(\d)_(-?\d{1,6})_(\d{1,30}(?:\.\d{1,30})?)_(.{1,200})$/.exec(text) ?? [];
  return band === undefined || days === undefined
    ? null
    : { band: Number(band), days: Number(days), amount, id };
}

/** Whether something that stands so is in this part of the queue. @param assigned to whom, null for nobody */
export function isShown(
  { group, whose, show }: Pick<QueueSearch, "group" | "whose" | "show">,
  status: { group: Exclude<Group, "failed"> | null; turn: string; is_failed: boolean },
  assigned: string | null,
  person_id: string,
): boolean {
  const isOfGroup =
    group === null || (group === "failed" ? status.is_failed : status.group === group);
  const isOfShow = show === "open" ? status.turn !== "snoozed" : status.turn === show;
  const isOfWhose =
    whose === "anybody" || (whose === "mine" ? assigned === person_id : assigned === null);
  return isOfGroup && isOfShow && isOfWhose;
}
