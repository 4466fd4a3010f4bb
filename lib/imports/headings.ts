import "server-only";
import type { TableCell } from "#lib/files/read-table.ts";
import { foldText } from "#lib/text/fold-text.ts";
import { IMPORT_FIELDS, type ImportField } from "./rules.ts";

/** The key that all spellings of a heading share, such as "Phone No." and "phone no". */
export const headingKey = (heading: string): string =>
  foldText(heading)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()
    .slice(0, 200);

/**
 * The words in each field's headings, the more specific field first: "product name" is no name of a
 * buyer. English words, then Nepali ones, which `headingKey` folds.
 */
const WORDS: [ImportField, RegExp][] = (
  [
    [
      "paid_until",
      /\b(paid|valid)\b.*\b(until|til|till|to|upto|thru|through|on|date)\b|expir|renew|\b(due|end|ending|next billing|next payment|payment) ?(date|day)?$|\b(due|end) date\b/,
      "भुक्तानी मिति|भुक्तानी|तिरेको|म्याद|सकिने|नवीकरण|अन्तिम मिति",
    ],
    ["pan_vat", /\bpan\b|\bvat\b/, "पान|प्यान|मूअकर|मू अ कर"],
    ["email", /\be ?mail/, "इमेल|ईमेल|इ मेल"],
    [
      "phone",
      /phone|mobile|\bmob\b|\bcell|whatsapp|viber|\btel\b|\bcontact( (no|number))?$/,
      "फोन|मोबाइल|मोबाईल|सम्पर्क|ह्वाट्सएप",
    ],
    [
      "price",
      /price|plan|period|package|amount|\brate\b|\bfees?\b|interval/,
      "मूल्य|योजना|प्याकेज|अवधि|रकम|शुल्क|दर",
    ],
    [
      "product",
      /product|service|\bitem|subscription|course|\bclass\b/,
      "उत्पादन|सामान|सेवा|वस्तु|सदस्यता",
    ],
    ["address", /address|location|\bcity\b|\barea\b|\btole\b/, "ठेगाना|टोल|स्थान|बस्ने"],
    [
      "name",
      /\bname\b|^(full ?name|customer|buyer|client|member|student|subscriber)s?$/,
      "नाम|ग्राहक|सदस्य|विद्यार्थी",
    ],
  ] as const
).map(([field, english, nepali]) => {
  const words = nepali.split("|").map(headingKey).join("|");
  return [field, new RegExp(`${english.source}|${words}`, "u")];
});

const fieldOfHeading = (key: string): ImportField | null =>
  key === "" ? null : (WORDS.find(([, words]) => words.test(key))?.[0] ?? null);

/** The field that the seller chose earlier for each heading; null for a column that is not used. */
export type KnownHeadings = ReadonlyMap<string, ImportField | null>;

/** The field of each heading. Each goes to one column: an earlier choice, else the first match. */
export function matchHeadings(
  headings: readonly TableCell[],
  known: KnownHeadings = new Map(),
): (ImportField | null)[] {
  const keys = headings.map((heading) => headingKey(heading ?? ""));
  const chosen = keys.map((key) => (known.has(key) ? (known.get(key) ?? null) : undefined));
  const taken = new Set<ImportField>();
  const take = (field: ImportField | null) => {
    if (field === null || taken.has(field)) return null;
    taken.add(field);
    return field;
  };
  const columns = chosen.map((field) => (field === undefined ? undefined : take(field)));
  return columns.map((field, at) =>
    field === undefined ? take(fieldOfHeading(keys[at] ?? "")) : field,
  );
}

/** How well a row looks like headings: known words count most, then columns. */
export function headingFit(row: readonly TableCell[], known: KnownHeadings): number {
  const filled = row.filter((cell) => cell === null || cell.trim() !== "").length;
  if (row.some((cell) => isContact(cell ?? ""))) return filled;
  const fields = matchHeadings(row, known).filter((field) => field !== null).length;
  return fields * 1_000 + filled;
}

const isPhone = (cell: string) =>
  /^[+\d\s().-]+$/.test(foldText(cell)) && foldText(cell).replace(/\D/g, "").length >= 7;
const isMail = (cell: string) => /^\S+@\S+\.\S+$/.test(cell.trim());
const isContact = (cell: string) => isPhone(cell) || isMail(cell);

/**
 * Whether the row names columns: it has a known heading, and no cell is a phone number or mail
 * address.
 */
export const areHeadings = (row: readonly TableCell[], known: KnownHeadings): boolean =>
  headingFit(row, known) >= 1_000;

/** What the columns of a file without headings seem to be, by the cells of a few rows. */
export function matchCells(rows: readonly (readonly TableCell[])[]): (ImportField | null)[] {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, at) =>
    rows.map((row) => row[at]?.trim() ?? "").filter((cell) => cell !== ""),
  );
  const most = (cells: string[], test: (cell: string) => boolean) =>
    cells.length > 0 && cells.filter(test).length * 2 > cells.length;
  const tests: [ImportField, (cell: string) => boolean][] = [
    ["email", isMail],
    ["paid_until", (cell) => /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/.test(foldText(cell))],
    ["phone", isPhone],
    ["name", (cell) => /^[\p{L}\p{M}][\p{L}\p{M}\s.'-]+$/u.test(cell)],
  ];
  const found = new Map<number, ImportField>();
  for (const [field, test] of tests) {
    const at = columns.findIndex((cells, place) => !found.has(place) && most(cells, test));
    if (at !== -1) found.set(at, field);
  }
  return columns.map((_, at) => found.get(at) ?? null);
}

export const isImportField = (text: string): text is ImportField =>
  (IMPORT_FIELDS as readonly string[]).includes(text);
