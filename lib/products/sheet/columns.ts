import { INTERVAL_TYPES } from "#contract/names.ts";
import type { Translate } from "#lib/i18n/message.ts";
import { VAT_CHOICES, type OfferDraft } from "../draft.ts";

/** The columns of the catalogue's spreadsheet, which has a row for each billing period. */
export const SHEET_COLUMNS = [
  "product",
  "plan",
  "period",
  "price",
  "currency",
  "vat",
  "vat_percentage",
  "interval",
  "interval_count",
  "offers",
  "order",
  "archived",
  "on_sale",
  "product_id",
  "plan_id",
  "pbp_id",
] as const;
export type SheetColumn = (typeof SHEET_COLUMNS)[number];

/** The columns without which a file cannot be read. */
export const REQUIRED_COLUMNS: readonly SheetColumn[] = ["product", "price"];

/** The most rows of a file, the row of headings included. */
export const MOST_SHEET_ROWS = 2_001;
export const MAX_SHEET_BYTES = 2 * 1024 * 1024;

export const YES_NO = ["yes", "no"] as const;
const WORDS = [...YES_NO, ...VAT_CHOICES, ...INTERVAL_TYPES] as const;
type Word = (typeof WORDS)[number];

/** Translators of the messages `sheet`; a file may be written in any of the languages. */
export type SheetLanguages = readonly Translate<"sheet">[];

export const headingOf = (t: Translate<"sheet">, column: SheetColumn): string =>
  t(`columns.${column}`);

export const wordOf = (t: Translate<"sheet">, word: Word): string => t(`words.${word}`);

const plain = (text: string) => text.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();

/** The column with this heading in any language, or with this name; null for another one. */
export const columnOf = (languages: SheetLanguages, heading: string): SheetColumn | null =>
  SHEET_COLUMNS.find((column) =>
    [column, ...languages.map((t) => headingOf(t, column))].some(
      (known) => plain(known) === plain(heading),
    ),
  ) ?? null;

/** The word that a cell contains in any of the languages; null for another text. */
export const readWord = <One extends Word>(
  languages: SheetLanguages,
  words: readonly One[],
  text: string,
): One | null =>
  words.find((word) =>
    [word, ...(ALSO[word] ?? []), ...languages.map((t) => wordOf(t, word))].some(
      (known) => plain(known) === plain(text),
    ),
  ) ?? null;

/** How workbooks write yes and no. */
const ALSO: Partial<Record<Word, string[]>> = { yes: ["true", "1"], no: ["false", "0"] };

/** Writes offers into one cell: "100.50 2026-01-01..2026-01-31; 50 2026-03-01..2026-03-31". */
export const offersText = (offers: readonly OfferDraft[]): string =>
  offers
    .map(
      ({ discount_amount, starts_at, valid_until }) =>
        `${discount_amount} ${starts_at}..${valid_until}`,
    )
    .join("; ");

/** Reads what `offersText` writes, also with other separators. @returns null for other text */
export function readOffers(text: string): OfferDraft[] | null {
  const offers = text
    .split(/[;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part, at) => {
      const [, discount_amount = "", starts_at = "", valid_until = ""] = OFFER.exec(part) ?? [];
      return { key: String(at), discount_amount, starts_at, valid_until };
    });
  return offers.some(({ starts_at }) => starts_at === "") ? null : offers;
}

const OFFER = /^(\S+)\s+(\d{4}-\d{2}-\d{2})\s*(?:\.\.|–|-|\/)\s*(\d{4}-\d{2}-\d{2})$/;
