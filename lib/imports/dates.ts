import "server-only";
import { asciiDigits } from "#contract/phone-number.ts";
import { fromBikramSambat, type Month } from "#contract/process/bikram-sambat.ts";
import { isDay } from "#lib/format/calendar.ts";
import { headingKey } from "./headings.ts";
import type { DateOrder } from "./rules.ts";

const YEAR_FIRST = /^(\d{4})[-/.\s](\d{1,2})[-/.\s](\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})[-/.\s](\d{1,2})[-/.\s](\d{4})$/;

/**
 * A day in either calendar: 2026-07-30, 30/7/2026, 2083-04-15, १५/४/२०८३, 15 Shrawan 2083, Jul 30,
 * 2026. The name of the month decides the calendar, else the year: from 2070 on it is Nepal's.
 * @returns YYYY-MM-DD of the Gregorian calendar; null for another text or a Gregorian day before 1990
 */
export function readImportDay(cell: string, order: DateOrder): string | null {
  const text = plain(cell);
  const first = YEAR_FIRST.exec(text);
  if (first) return dayOf(first[1], first[2], first[3]);
  const last = YEAR_LAST.exec(text);
  if (last)
    return order === "mdy"
      ? dayOf(last[3], last[1], last[2])
      : dayOf(last[3], last[2], last[1]);
  return readNamed(text);
}

/**
 * Whether days or months come first in dates such as 4/5/2026, judged by the file's dates that can
 * be read in one way only; null if there are none, or if they disagree.
 */
export function dateOrderOf(cells: Iterable<string>): DateOrder | null {
  const found = new Set<DateOrder>();
  for (const cell of cells) {
    const numbers = YEAR_LAST.exec(plain(cell));
    if (!numbers) continue;
    if (Number(numbers[1]) > 12) found.add("dmy");
    if (Number(numbers[2]) > 12) found.add("mdy");
  }
  const [order = null] = found;
  return found.size === 1 ? order : null;
}

/** Whether the order of day and month changes what the cell says. */
export const isOrderOpen = (cell: string): boolean => {
  const numbers = YEAR_LAST.exec(plain(cell));
  return numbers !== null && numbers[1] !== numbers[2];
};

/**
 * The cell without the time of day that a spreadsheet adds, and without the name of the calendar.
 */
const plain = (cell: string) =>
  asciiDigits(cell)
    .replace(/[\s,]*[T\s]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\s*([AP]M)?Z?$/i, "")
    .replace(/^(वि\.?\s?सं\.?|B\.?S\.?|A\.?D\.?)\s*|\s*(B\.?S\.?|A\.?D\.?|गते|मा)$/giu, "")
    .replace(/\s*([-/.])\s*/g, "$1")
    .trim();

const FIRST_OF_NEPAL = 2_070;

function dayOf(year = "", month = "", date = ""): string | null {
  const number = Number(year);
  if (number >= FIRST_OF_NEPAL) return dayOfNepal(number, Number(month), Number(date));
  const day = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
  return number >= 1_990 && isDay(day) ? day : null;
}

const isMonth = (month: number): month is Month => month >= 1 && month <= 12;

const dayOfNepal = (year: number, month: number, date: number) =>
  isMonth(month) ? fromBikramSambat({ year, month, date }) : null;

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** How the months of Nepal's calendar are written. */
const MONTHS_OF_NEPAL = [
  "baisakh baishakh vaisakh वैशाख बैशाख",
  "jestha jeth jyestha जेठ जेष्ठ",
  "asar ashadh asadh ashad असार आषाढ",
  "shrawan saun sawan srawan साउन श्रावण",
  "bhadra bhadau bhadra भदौ भाद्र",
  "aswin asoj ashwin ashoj असोज आश्विन",
  "kartik kattik कात्तिक कार्तिक",
  "mangsir marga mangshir मंसिर मङ्सिर मार्ग",
  "poush push paush पुस पौष",
  "magh माघ",
  "falgun phagun phalgun फागुन फाल्गुण फाल्गुन",
  "chaitra chait चैत चैत्र",
].map((names) => names.split(" ").map(headingKey));

/** Reads "15 Shrawan 2083", "साउन १५, २०८३", "Jul 30, 2026" and "2083 Shrawan 15". */
function readNamed(text: string): string | null {
  const parts = text.split(/[\s,./-]+/).filter(Boolean);
  const [word, ...words] = parts.filter((part) => !/^\d+$/.test(part)).map(headingKey);
  const numbers = parts.filter((part) => /^\d+$/.test(part));
  const year = numbers.find((part) => part.length === 4);
  const date = numbers.find((part) => part.length <= 2);
  if (!word || words.length > 0 || numbers.length !== 2 || !year || !date) return null;
  const nepali = MONTHS_OF_NEPAL.findIndex((names) => names.includes(word)) + 1;
  if (nepali > 0) return dayOfNepal(Number(year), nepali, Number(date));
  const month = word.length >= 3 ? MONTHS.indexOf(word.slice(0, 3)) + 1 : 0;
  return month > 0 && Number(year) < FIRST_OF_NEPAL ? dayOf(year, String(month), date) : null;
}
