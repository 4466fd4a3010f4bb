import "server-only";
import type { AccountProduct } from "#contract/account.ts";
import { isSameDecimal } from "#lib/format/decimal.ts";
import { withFormulas } from "#lib/files/table-file.ts";
import { message, type Translate } from "#lib/i18n/message.ts";
import {
  draftOf,
  emptyPeriod,
  emptyProduct,
  isSameOffers,
  type PeriodDraft,
  type PlanDraft,
  type ProductDraft,
} from "../draft.ts";
import { offersText, wordOf } from "./columns.ts";
import { arrange, type Arranged } from "./order.ts";
import type { Place } from "./place.ts";
import type { RowDetail } from "./queries.ts";
import {
  completeInterval,
  defaultLabel,
  sameText,
  type GivenRow,
  type RowValues,
} from "./row-values.ts";

export interface Context {
  /** The language of the answer comes first. */
  languages: readonly [Translate<"sheet">, ...Translate<"sheet">[]];
  format: Translate<"format">;
  /** The business's currency, for rows without one. */
  currency: string;
}

/** A row with the product, plan and billing period that it is about. */
export interface PlacedRow {
  row: GivenRow;
  values: RowValues;
  place: Place;
}

/** The changes that the rows of one product ask for. */
export interface Work {
  saved: AccountProduct | null;
  rows: PlacedRow[];
}

export const problem = (
  key: "double" | "differs" | "archivedPrice" | "fixed" | "last",
  values?: Record<string, string | number>,
) => message(`sheet.problem.${key}`, values);

export interface Built {
  draft: ProductDraft;
  isOnSale: boolean;
  details: Map<GivenRow, RowDetail[]>;
  added: Set<GivenRow>;
  problems: Map<GivenRow, string[]>;
  moved: Arranged["moved"];
}

/** Writes the rows into the product's draft, one after the other. */
export function build({ saved, rows }: Work, context: Context): Built {
  const [t] = context.languages;
  const before = saved && draftOf(saved);
  const draft: ProductDraft = before
    ? structuredClone(before)
    : { ...emptyProduct(context.currency), plans: [] };
  const details = new Map<GivenRow, RowDetail[]>();
  const added = new Set<GivenRow>();
  const problems = new Map<GivenRow, string[]>();
  const orders = new Map<string, number>();
  const set = sharedSetter(t, { isNew: !saved, details, problems });
  let isOnSale = saved?.is_active ?? true;

  for (const { row, values, place } of rows) {
    const note = (...told: (RowDetail | null)[]) =>
      details.set(row, [
        ...(details.get(row) ?? []),
        ...told.flatMap((detail) => detail ?? []),
      ]);
    set(
      row,
      { column: "product" },
      [draft.name, sameText(values.product, draft.name)],
      (name) => {
        draft.name = name;
      },
    );
    const vat = vatOfRow(values, draft);
    set(row, { column: "vat" }, [vatText(t, draft), vat && vatText(t, vat)], () => {
      Object.assign(draft, vat);
    });
    const { on_sale } = values;
    set(
      row,
      { column: "on_sale" },
      [wordOf(t, isOnSale ? "yes" : "no"), on_sale && wordOf(t, on_sale)],
      () => {
        isOnSale = on_sale === "yes";
      },
    );
    const plan = planOf(draft, place);
    const planName = sameText(values.plan, plan.plan_name);
    set(row, { column: "plan", of: plan.key }, [plan.plan_name, planName], (name) => {
      plan.plan_name = name;
    });
    const known = plan.periods.find(({ pbp_id }) => pbp_id !== null && pbp_id === place.pbp_id);
    if (known) {
      const wrong = fixedProblem(known, values);
      if (wrong) problems.set(row, [wrong]);
      else note(...changePeriod(t, known, values));
    } else {
      added.add(row);
      plan.periods.push(newPeriod(row, values, draft, context));
    }
    if (values.order !== null) orders.set(known?.key ?? keyOf(row), values.order);
  }
  const { plans, moved } = arrange(before, draft, orders);
  return { draft: { ...draft, plans }, isOnSale, details, added, problems, moved };
}

/** The key of the billing period that a row adds. */
export const keyOf = (row: GivenRow) => `row:${row.at}`;

/** Sets the fields that a product's or plan's rows share: the first row with a value decides. */
function sharedSetter(
  t: Translate<"sheet">,
  { isNew, details, problems }: Pick<Built, "details" | "problems"> & { isNew: boolean },
) {
  const decided = new Map<string, { row: number; text: string }>();
  return (
    row: GivenRow,
    { column, of = "" }: { column: RowDetail["column"]; of?: string },
    [before, after]: [before: string, after: string | null],
    change: (text: string) => void,
  ) => {
    if (after === null) return;
    const earlier = decided.get(`${column} ${of}`);
    if (earlier && earlier.text !== after) {
      const values = { column: t(`columns.${column}`), row: earlier.row };
      problems.set(row, [problem("differs", values)]);
    }
    if (earlier) return;
    decided.set(`${column} ${of}`, { row: row.at, text: after });
    if (after === before) return;
    change(after);
    if (!isNew) details.set(row, [...(details.get(row) ?? []), { column, before, after }]);
  };
}

type Vat = Pick<ProductDraft, "vat" | "vat_percentage">;

/** The VAT that a row asks for; null if the row names none. */
function vatOfRow({ vat, vat_percentage }: RowValues, draft: ProductDraft): Vat | null {
  if (vat === null && vat_percentage === null) return null;
  const kind = vat ?? draft.vat;
  if (kind === "none") return { vat: "none", vat_percentage: draft.vat_percentage };
  const rate = vat_percentage ?? draft.vat_percentage;
  return {
    vat: kind,
    vat_percentage: isSameDecimal(rate, draft.vat_percentage) ? draft.vat_percentage : rate,
  };
}

const vatText = (t: Translate<"sheet">, { vat, vat_percentage }: Vat) =>
  vat === "none" ? wordOf(t, vat) : `${wordOf(t, vat)} ${vat_percentage} %`;

function planOf(draft: ProductDraft, place: Place): PlanDraft {
  const known = draft.plans.find(({ key }) => key === place.planKey);
  if (known) return known;
  const plan: PlanDraft = {
    key: place.planKey,
    plan_id: null,
    plan_name: place.planName,
    description: "",
    periods: [],
  };
  draft.plans.push(plan);
  return plan;
}

/** Why a saved billing period cannot get a row's values; null if it can. */
function fixedProblem(period: PeriodDraft, values: RowValues): string | null {
  const { interval_type, interval_count, currency, price, offers, archived } = values;
  const isOtherInterval =
    (interval_type ?? period.interval_type) !== period.interval_type ||
    (period.interval_type !== "one_time" &&
      interval_count !== null &&
      !isSameDecimal(interval_count, period.interval_count));
  if (isOtherInterval || (currency ?? period.currency) !== period.currency)
    return problem("fixed");
  const isOtherPrice =
    (price !== "" && !isSameDecimal(price, period.price)) ||
    (offers !== null && !isSameOffers(offers, period.offers));
  if (period.is_archived && isOtherPrice) return problem("archivedPrice");
  if (archived === "yes" && isOtherPrice) return problem("archivedPrice");
  return null;
}

/** Changes a saved billing period into the row's values. */
function changePeriod(
  t: Translate<"sheet">,
  period: PeriodDraft,
  { period: label, price, offers, archived }: RowValues,
): (RowDetail | null)[] {
  const told: (RowDetail | null)[] = [];
  const name = sameText(label, period.label);
  if (name !== null && name !== period.label) {
    told.push({ column: "period", before: period.label, after: name });
    period.label = name;
  }
  if (!period.is_archived && archived !== "yes" && !isSameDecimal(price, period.price)) {
    const { currency } = period;
    told.push({ column: "price", before: period.price, after: price, currency });
    period.price = price;
  }
  if (offers !== null && !isSameOffers(offers, period.offers)) {
    const [before, after] = [offersText(period.offers), offersText(offers)];
    told.push({ column: "offers", before, after });
    period.offers = offers;
  }
  const isArchived = archived === null ? period.is_archived : archived === "yes";
  if (isArchived !== period.is_archived) {
    const [before, after] = [wordOf(t, isArchived ? "no" : "yes"), wordOf(t, archived ?? "no")];
    told.push({ column: "archived", before, after });
    period.is_archived = isArchived;
  }
  return told;
}

function newPeriod(
  row: GivenRow,
  values: RowValues,
  draft: ProductDraft,
  { currency: usual, format }: Context,
): PeriodDraft {
  const interval = completeInterval(values, draft, usual);
  return {
    ...emptyPeriod(interval.currency, keyOf(row)),
    ...interval,
    label:
      values.period === null ? defaultLabel(format, interval) : withFormulas(values.period),
    price: values.price,
    offers: values.offers ?? [],
  };
}
