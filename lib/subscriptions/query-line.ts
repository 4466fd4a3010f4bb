import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import { addDays, isDay } from "#lib/format/calendar.ts";
import { asciiDigits, foldText } from "#lib/text/fold-text.ts";
import {
  DAY_FIELDS,
  SUBSCRIPTION_KINDS,
  type DayField,
  type FilterName,
  type Filters,
} from "#lib/search-index/query/subscription-filters.ts";
import { filtersOf, NO_FILTERS, readPrice, type SubscriptionSearch } from "./search.ts";

/** Field names that can precede a colon. */
export const QUERY_FIELDS = [
  "status",
  "kind",
  "product",
  "plan",
  "tag",
  ...DAY_FIELDS,
  "price",
] as const;
type QueryField = (typeof QUERY_FIELDS)[number];

/** Fields whose values the tabs already show. */
export const FIELDS_OF_TABS: readonly QueryField[] = ["status", "kind"];

/** Why a term is invalid; `text` is the term as typed. */
interface QueryLineProblem {
  kind: "field" | "status" | "kind" | "day" | "price" | "empty";
  text: string;
}

interface ParsedLine {
  words: string;
  filters: Filters;
  problems: QueryLineProblem[];
}

// A term: a field, a colon, and a value that may be quoted. Only letters before the colon, so that a
// URL or a time of day stays a word.
const TERM = /(?<![^\s])(\p{L}[\p{L}_]*):((?:[<>]=?|=)?"[^"]*"?|\S*)/gu;

/**
 * Parses `asha status:due plan:"gold plus" next:<2026-12-01 price:>=500`. If a field is repeated, the
 * last one counts; two ends of a range combine.
 */
export function parseLine(text: string): ParsedLine {
  const line: ParsedLine = { words: "", filters: { ...NO_FILTERS }, problems: [] };
  const words = text.replace(TERM, (term: string, field: string, value: string) => {
    if (value.startsWith("//")) return term;
    const read = readTerm(field, value);
    if ("problem" in read) line.problems.push({ kind: read.problem, text: term });
    else Object.assign(line.filters, read);
    return " ";
  });
  line.words = words.replace(/\s+/g, " ").trim();
  return line;
}

interface Unread {
  problem: QueryLineProblem["kind"];
}

function readTerm(given: string, raw: string): Partial<Filters> | Unread {
  const field = QUERY_FIELDS.find((known) => known === foldText(given));
  if (!field) return { problem: "field" };
  const [, sign = "", value = ""] = /^([<>]=?|=)?"?([^"]*)"?$/.exec(raw) ?? [];
  if (value.trim() === "") return { problem: "empty" };
  if (field === "status" || field === "kind") return readName(field, value);
  if (isNamed(field)) return { [field]: value.trim() };
  if (field === "price") return readPrices(sign, value);
  return readDays(field, sign, asciiDigits(value));
}

/** Fields whose value is a name that the seller chose. */
const isNamed = (field: QueryField) =>
  field === "product" || field === "plan" || field === "tag";

const NAMES = { status: SUBSCRIPTION_STATUSES, kind: SUBSCRIPTION_KINDS };

function readName(field: keyof typeof NAMES, value: string): Partial<Filters> | Unread {
  const asked = foldText(value).replace(/[\s-]+/g, "_");
  const name = NAMES[field].find((known) => known === asked);
  return name ? { [field]: name } : { problem: field };
}

function readDays(field: DayField, sign: string, value: string): Partial<Filters> | Unread {
  const [from = "", to = from, ...more] = value.split("..");
  const isRange = value.includes("..");
  const isReadable = [from, to].every((day) => isDay(day) || (isRange && day === ""));
  if (!isReadable || more.length > 0 || (isRange && (sign !== "" || from + to === "")))
    return { problem: "day" };
  if (sign === ">") return { [`${field}_from`]: addDays(from, 1) };
  if (sign === "<") return { [`${field}_to`]: addDays(from, -1) };
  return {
    ...(sign !== "<=" && from && { [`${field}_from`]: from }),
    ...(sign !== ">=" && to && { [`${field}_to`]: to }),
  };
}

const PRICE_ENDS: Record<string, readonly FilterName[]> = {
  "": ["price_from", "price_to"],
  "=": ["price_from", "price_to"],
  ">": ["price_over"],
  "<": ["price_under"],
  ">=": ["price_from"],
  "<=": ["price_to"],
};

function readPrices(sign: string, value: string): Partial<Filters> | Unread {
  const [from = "", to, ...more] = value.split("..");
  const isRange = to !== undefined;
  if (isRange) {
    const ends = { price_from: readPrice(from), price_to: readPrice(to) };
    const isReadable = (ends.price_from ?? from) !== "" || (ends.price_to ?? to) !== "";
    const isWhole = [from, to].every((end) => end === "" || readPrice(end) !== null);
    return isReadable && isWhole && sign === "" && more.length === 0
      ? drop(ends)
      : { problem: "price" };
  }
  const price = readPrice(from);
  const ends = PRICE_ENDS[sign] ?? [];
  if (price === null) return { problem: "price" };
  return Object.fromEntries(ends.map((end) => [end, price]));
}

const drop = (filters: Partial<Filters>): Partial<Filters> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null));

export interface FilterChip {
  field: QueryField;
  names: FilterName[];
  from: string | null;
  to: string | null;
  isOpen: boolean;
}

export function filterChipsOf(filters: Filters): FilterChip[] {
  const one = (
    field: QueryField,
    from: FilterName,
    to: FilterName = from,
    isOpen = false,
  ): FilterChip => ({
    field,
    names: [...new Set([from, to])].filter((name) => filters[name] !== null),
    from: filters[from],
    to: filters[to],
    isOpen,
  });
  return [
    one("status", "status"),
    one("kind", "kind"),
    one("product", "product"),
    one("plan", "plan"),
    one("tag", "tag"),
    ...DAY_FIELDS.map((field) => one(field, `${field}_from`, `${field}_to`)),
    one("price", "price_from", "price_to"),
    one("price", "price_over", "price_under", true),
  ].filter(({ names }) => names.length > 0);
}

/** The search line that parses to this text and these filters. */
export function printLine({ words, filters }: Pick<ParsedLine, "words" | "filters">): string {
  return [words, ...filterChipsOf(filters).map(printTerm)].filter(Boolean).join(" ");
}

function printTerm({ field, from, to, isOpen }: FilterChip): string {
  const quoted = (text: string) =>
    /[\s"<>=]/.test(text) ? `"${text.replaceAll('"', "")}"` : text;
  if (field === "status" || field === "kind" || isNamed(field))
    return `${field}:${quoted(from ?? "")}`;
  const [over, under] = isOpen ? [">", "<"] : [">=", "<="];
  if (from !== null && from === to && !isOpen) return `${field}:${from}`;
  if (from !== null && to !== null && !isOpen) return `${field}:${from}..${to}`;
  return [from && `${field}:${over}${from}`, to && `${field}:${under}${to}`]
    .filter(Boolean)
    .join(" ");
}

export function removeFilter(filters: Filters, { names }: Pick<FilterChip, "names">): Filters {
  return { ...filters, ...Object.fromEntries(names.map((name) => [name, null])) };
}

/** Adds filters; a new price bound replaces the other kind of bound on its side. */
export function addFilters(filters: Filters, more: Partial<Filters>): Filters {
  const given = drop(more);
  const cleared: Partial<Filters> = {};
  if (given.price_from) cleared.price_over = null;
  if (given.price_over) cleared.price_from = null;
  if (given.price_to) cleared.price_under = null;
  if (given.price_under) cleared.price_to = null;
  return { ...filters, ...cleared, ...given };
}

/** The search for the terms of a line as filters, on the first page. */
export function searchOfLine(search: SubscriptionSearch, line: string) {
  const { words, filters, problems } = parseLine(line);
  const whole = { ...search, ...addFilters(filtersOf(search), filters), page: 1 };
  return { search: whole, words, problems };
}

/** The search while the user types: stays on the current page, and ignores incomplete terms. */
export function searchWhileTyping(shown: SubscriptionSearch, line: string) {
  const { search, words } = searchOfLine(shown, line);
  return { search: { ...search, page: shown.page }, words };
}

/**
 * What the audit log stores of a search: the filters, and whether there was text, which could be a
 * buyer's name.
 */
export function auditDetailOfSearch(
  search: SubscriptionSearch,
  words: string,
): Record<string, string> {
  const query = printLine({ words: "", filters: filtersOf(search) });
  return {
    ...(query && { query }),
    ...(search.sort && { sort: search.sort }),
    ...(words.trim() && { words: "yes" }),
  };
}
