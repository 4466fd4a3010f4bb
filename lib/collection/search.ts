import { scopePath, type Scope } from "#lib/scope.ts";
import { parameterReader, queryString, type Parameters } from "#lib/search-params.ts";

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

/** Which part of the queue; none of it says anything of a buyer but an id. */
export interface DeskSearch {
  /** Null for all of them. */
  group: Group | null;
  whose: Whose;
  show: Show;
  /** A name, a part of one, or an id. */
  product: string | null;
  ahead: Ahead;
}

const LONGEST_NAME = 200;

export function parseDeskSearch(parameters: Parameters | FormData): DeskSearch {
  const { text } = parameterReader(parameters);
  return {
    group: GROUPS.find((one) => one === text("group")) ?? null,
    whose: WHOSE.find((one) => one === text("whose")) ?? "anybody",
    show: SHOWS.find((one) => one === text("show")) ?? "open",
    product: text("product").slice(0, LONGEST_NAME) || null,
    ahead: AHEAD.find((one) => String(one) === text("ahead")) ?? USUAL_AHEAD,
  };
}

/** Only what differs from the default, so that one queue has one address. */
export function deskQueryString(
  { group, whose, show, product, ahead }: DeskSearch,
  more: { buyer?: string | null; after?: string | null } = {},
): string {
  return queryString({
    group,
    whose: whose === "anybody" ? null : whose,
    show: show === "open" ? null : show,
    product,
    ahead: ahead === USUAL_AHEAD ? null : ahead,
    ...more,
  });
}

export const deskPath = (
  scope: Scope,
  search: DeskSearch,
  more: { buyer?: string | null; after?: string | null } = {},
) => scopePath(scope, `/collection${deskQueryString(search, more)}`);

/** The subscription whose buyer is open; null for none. */
export const buyerAt = (parameters: Parameters) =>
  parameterReader(parameters).text("buyer").slice(0, LONGEST_NAME) || null;

/** Behind which place the page begins; null for the first page. */
export function placeAt(parameters: Parameters): string | null {
  const text = parameterReader(parameters).text("after");
  return readPlace(text) === null ? null : text;
}

/** Behind which entry a page begins: its place in the order. */
export interface Place {
  band: number;
  days: number;
  /** A decimal text. */
  amount: string;
  id: string;
}

export const printPlace = ({ band, days, amount, id }: Place) =>
  [band, days, amount, id].join("_");

/** Null for what is no place. */
export function readPlace(text: string): Place | null {
  const [, band, days, amount = "", id = ""] =
    /^(\d)_(-?\d{1,6})_(\d{1,30}(?:\.\d{1,30})?)_(.{1,200})$/.exec(text) ?? [];
  return band === undefined || days === undefined
    ? null
    : { band: Number(band), days: Number(days), amount, id };
}

/** Whether something that stands so is in this part of the queue. @param assigned to whom, null for nobody */
export function isShown(
  { group, whose, show }: Pick<DeskSearch, "group" | "whose" | "show">,
  standing: { group: Exclude<Group, "failed"> | null; turn: string; is_failed: boolean },
  assigned: string | null,
  person_id: string,
): boolean {
  const isOfGroup =
    group === null || (group === "failed" ? standing.is_failed : standing.group === group);
  const isOfShow = show === "open" ? standing.turn !== "snoozed" : standing.turn === show;
  const isOfWhose =
    whose === "anybody" || (whose === "mine" ? assigned === person_id : assigned === null);
  return isOfGroup && isOfShow && isOfWhose;
}
