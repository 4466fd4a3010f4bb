import "server-only";
import { readAmount } from "#contract/amount.ts";
import type { StatementEntry } from "#contract/payment-accounts.ts";
import type { StatementState } from "#contract/names.ts";
import { asciiDigits } from "#contract/phone-number.ts";
import type { TableCell } from "#lib/files/read-table.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import type { StatementColumn, StatementPlaces } from "./columns.ts";
import type { LeftOutRow } from "./queries.ts";

const DAY = 86_400_000;

interface Reading {
  places: StatementPlaces;
  /** The currency of amounts that name none. */
  currency: string;
  /** The zone of times without an offset. */
  zone: string;
  now: Date;
}

interface StatementRows {
  entries: StatementEntry[];
  /** The row of the file of each entry, from 1. */
  rowOf: number[];
  leftOut: LeftOutRow[];
  covers: { from: string; to: string } | null;
}

/**
 * Reads the rows below the headings. Rows without a reference, and money that went out, are left
 * out; an amount or a state that cannot be read is reported as unclear.
 * @param first the place of the first row in the file, from 1
 */
export function readRows(
  rows: readonly (readonly TableCell[])[],
  first: number,
  { places, currency, zone, now }: Reading,
): StatementRows {
  const read: StatementRows = { entries: [], rowOf: [], leftOut: [], covers: null };
  const cellOf = (row: readonly TableCell[], column: StatementColumn) => {
    const place = places[column];
    return place === null ? "" : (row[place] ?? "").trim();
  };
  const days = rows.map((row) => cellOf(row, "at"));
  const isMonthFirst = readsMonthFirst(days);
  const moments: Moment[] = [];
  for (const [at, row] of rows.entries()) {
    if (row.every((cell) => cell !== null && cell.trim() === "")) continue;
    const reference = readId(cellOf(row, "reference"));
    const transaction_id = readId(cellOf(row, "transaction_id"));
    const written = plainAmount(cellOf(row, "amount"));
    const why =
      reference === null && transaction_id === null
        ? "unnamed"
        : /^(-|\(|0+(\.0*)?$)/.test(written)
          ? "outgoing"
          : null;
    if (why) {
      read.leftOut.push({ row: first + at, why });
      continue;
    }
    const moment = readMoment(days[at] ?? "", { isMonthFirst, zone });
    if (moment) moments.push(moment);
    const amount = readAmount(written);
    const state = places.state === null ? "paid" : readState(cellOf(row, "state"));
    read.rowOf.push(first + at);
    read.entries.push({
      reference,
      transaction_id,
      amount,
      currency: readCurrency(cellOf(row, "currency")) ?? currency,
      state: amount === null && state === "paid" ? "unclear" : state,
      at: moment?.at ?? null,
    });
  }
  return { ...read, covers: coverOf(moments, zone, now) };
}

/**
 * An id that the service accepts; null for a formula, or a number that a spreadsheet has shortened.
 */
const readId = (cell: string): string | null => {
  const text = asciiDigits(cell).replace(/^'/, "");
  return /^[\x21-\x7e]{1,128}$/.test(text) && !/^\d(\.\d+)?e\+\d+$/i.test(text) ? text : null;
};

const plainAmount = (cell: string) =>
  asciiDigits(cell)
    .replace(/^(NPR|Rs|रु|USD|INR|EUR|GBP|[$€£₹])\.?\s*/iu, "")
    .replace(/\s*(NPR|Rs|USD|INR|EUR|GBP|\/-)\.?$/iu, "")
    .trim();

const readCurrency = (cell: string): string | null => {
  const code = cell.toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
};

/** Refunds come first, because "refund successful" also contains a word for paid. */
const STATES: [RegExp, StatementState][] = [
  [/refund|revers|charged? ?back/, "refunded"],
  [
    /\bun|\bin(complete|itiated)|\bnot\b|fail|cancel|expir|pending|declin|reject|error/,
    "unpaid",
  ],
  [/success|sucess|complete|\bpaid\b|settled|approved|credited|succeeded|^000$/, "paid"],
];

const readState = (cell: string): StatementState =>
  STATES.find(([words]) => words.test(cell.toLowerCase()))?.[1] ?? "unclear";

interface Moment {
  /** Local, YYYY-MM-DD. */
  day: string;
  /** ISO 8601 in UTC. */
  at: string;
  hasTime: boolean;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const NUMBERS = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})\b/;

/**
 * Whether one of these days, such as 3/14/2026, shows that the month comes first in all of them.
 */
const readsMonthFirst = (cells: readonly string[]) =>
  cells.some((cell) => Number(NUMBERS.exec(asciiDigits(cell))?.[2]) > 12);

const TIME =
  /[T ,]\s*(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*([AP]M)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i;

function readMoment(
  cell: string,
  { isMonthFirst, zone }: { isMonthFirst: boolean; zone: string },
): Moment | null {
  const text = asciiDigits(cell).trim();
  const day = readDay(text, isMonthFirst);
  if (!day) return null;
  const time = TIME.exec(text);
  if (!time) {
    const at = zonedMoment(day, zone);
    return at === null ? null : { day, at, hasTime: false };
  }
  const [, hour = "0", minute = "00", second = "00", half, offset] = time;
  const hours = half
    ? (Number(hour) % 12) + (half.toUpperCase() === "PM" ? 12 : 0)
    : Number(hour);
  const local = `${day}T${String(hours).padStart(2, "0")}:${minute}:${second}`;
  const at = offset ? momentWith(local, offset) : zonedMoment(local, zone);
  return at === null ? null : { day, at, hasTime: true };
}

function momentWith(local: string, offset: string): string | null {
  const zone = /^(z|utc)$/i.test(offset) ? "Z" : offset.replace(/^(.\d\d):?(\d\d)$/, "$1:$2");
  const time = new Date(`${local}${zone}`);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** A day of the Gregorian calendar; null for one of Nepal's calendar, which is written alike. */
function readDay(text: string, isMonthFirst: boolean): string | null {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/.exec(text);
  if (iso) return dayOf(iso[1], iso[2], iso[3]);
  const numbers = NUMBERS.exec(text);
  if (numbers)
    return isMonthFirst
      ? dayOf(numbers[3], numbers[1], numbers[2])
      : dayOf(numbers[3], numbers[2], numbers[1]);
  const named = /^(?:[A-Za-z]+,? )?(\d{1,2})[- ]([A-Za-z]{3,9})[-, ]+(\d{4})\b/.exec(text);
  if (named) return dayOf(named[3], monthOf(named[2]), named[1]);
  const american = /^([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})\b/.exec(text);
  return american ? dayOf(american[3], monthOf(american[1]), american[2]) : null;
}

const monthOf = (name = "") => String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);

function dayOf(year = "", month = "", date = ""): string | null {
  const isOurs = Number(year) >= 2_015 && Number(year) < 2_050;
  const day = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
  return isOurs && zonedMoment(day, "UTC")?.startsWith(day) ? day : null;
}

/**
 * The time that a statement covers completely: from its first day to its last moment if every row has a
 * time, else to the end of its last day, or to that day's start while it is not over.
 */
function coverOf(moments: readonly Moment[], zone: string, now: Date): StatementRows["covers"] {
  const sorted = moments.toSorted((one, other) => one.at.localeCompare(other.at));
  const [first, last] = [sorted[0], sorted.at(-1)];
  const from = first && zonedMoment(first.day, zone);
  if (!from || !last) return null;
  if (moments.every(({ hasTime }) => hasTime)) return { from, to: last.at };
  const end = new Date(Date.parse(zonedMoment(last.day, zone) ?? from) + DAY);
  const to = end <= now ? end.toISOString() : zonedMoment(last.day, zone);
  return to && to > from ? { from, to } : null;
}
