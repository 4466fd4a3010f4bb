import { INTERVAL_TYPES } from "#contract/names.ts";
import { withFormulas, withoutFormulas } from "#lib/files/table-file.ts";
import { message, type Translate } from "#lib/i18n/message.ts";
import {
  VAT_CHOICES,
  type IntervalType,
  type OfferDraft,
  type PeriodDraft,
  type ProductDraft,
} from "../draft.ts";
import { intervalWords } from "../rules.ts";
import {
  headingOf,
  readOffers,
  readWord,
  YES_NO,
  type SheetColumn,
  type SheetLanguages,
} from "./columns.ts";

/** A row of a file; cells without text are left out. */
export interface GivenRow {
  /** The row's number in the file; the heading has 1. */
  at: number;
  cells: Partial<Record<SheetColumn, string>>;
  /** The columns in which the row has a formula. */
  formulas: SheetColumn[];
}

/** The values of a row; null for an empty cell. */
export interface RowValues {
  product: string | null;
  plan: string | null;
  period: string | null;
  /** The price as typed; empty for none. */
  price: string;
  currency: string | null;
  vat: ProductDraft["vat"] | null;
  vat_percentage: string | null;
  interval_type: IntervalType | null;
  interval_count: string | null;
  offers: OfferDraft[] | null;
  order: number | null;
  archived: "yes" | "no" | null;
  on_sale: "yes" | "no" | null;
  product_id: string | null;
  plan_id: string | null;
  pbp_id: string | null;
}

const CURRENCIES = new Set(Intl.supportedValuesOf("currency"));

/** Reads a row's cells; the problems are messages. */
export function readRow(
  { cells, formulas }: GivenRow,
  languages: SheetLanguages & readonly [Translate<"sheet">, ...unknown[]],
): { values: RowValues; problems: string[] } {
  const [t] = languages;
  const problems = formulas.map((column) =>
    message("sheet.problem.formula", { column: headingOf(t, column) }),
  );
  const text = (column: SheetColumn) => cells[column] ?? null;
  const read = <Value>(column: SheetColumn, parse: (given: string) => Value | null) => {
    const given = text(column);
    const value = given === null ? null : parse(given);
    if (given !== null && value === null)
      problems.push(
        message("sheet.problem.unknown", {
          column: headingOf(t, column),
          text: given.slice(0, 50),
        }),
      );
    return value;
  };
  const yesOrNo = (column: SheetColumn) =>
    read(column, (given) => readWord(languages, YES_NO, given));
  const values: RowValues = {
    product: text("product"),
    plan: text("plan"),
    period: text("period"),
    price: withFormulas(text("price") ?? ""),
    currency: read("currency", (given) =>
      CURRENCIES.has(given.toUpperCase()) ? given.toUpperCase() : null,
    ),
    vat: read("vat", (given) => readWord(languages, VAT_CHOICES, given)),
    vat_percentage: text("vat_percentage")?.replace(/\s*%$/, "") ?? null,
    interval_type: read("interval", (given) => readWord(languages, INTERVAL_TYPES, given)),
    interval_count: text("interval_count"),
    offers: read("offers", readOffers),
    order: read("order", (given) => (/^[1-9]\d{0,5}$/.test(given) ? Number(given) : null)),
    archived: yesOrNo("archived"),
    on_sale: yesOrNo("on_sale"),
    product_id: text("product_id"),
    plan_id: text("plan_id"),
    pbp_id: text("pbp_id"),
  };
  return { values, problems };
}

/**
 * Whether a cell contains a saved text, with or without the apostrophes that files add to formulas.
 */
export const saysText = (cell: string, saved: string): boolean =>
  [saved, withoutFormulas(saved)].some((known) => known.trim() === cell.trim());

/** The text of a cell, unchanged if it is the saved text; null for an empty cell. */
export const sameText = (cell: string | null, saved: string): string | null =>
  cell === null || saysText(cell, saved) ? cell && saved : withFormulas(cell);

/** Completes the interval and currency of a row that adds a billing period with the usual ones. */
export const completeInterval = (
  { interval_type, interval_count, currency }: RowValues,
  product: ProductDraft | null,
  usualCurrency: string,
) => ({
  interval_type: interval_type ?? ("month" as const),
  interval_count: interval_type === "one_time" ? "1" : (interval_count ?? "1"),
  currency:
    currency ??
    product?.plans.flatMap(({ periods }) => periods).find(({ is_archived }) => !is_archived)
      ?.currency ??
    usualCurrency,
});

/** The label that the form gives a billing period without one. */
export function defaultLabel(
  t: Translate<"format">,
  { interval_type, interval_count }: Pick<PeriodDraft, "interval_type" | "interval_count">,
): string {
  const words = intervalWords(t, {
    interval_type,
    interval_count: Number(interval_count) || 1,
  });
  return words.charAt(0).toUpperCase() + words.slice(1);
}
