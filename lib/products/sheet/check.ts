import "server-only";
import { randomUUID } from "node:crypto";
import type { AccountProduct } from "#contract/account.ts";
import { draftOf, type ProductDraft } from "../draft.ts";
import { ProductInput } from "../draft-input.ts";
import {
  build,
  keyOf,
  problem,
  type Built,
  type Context,
  type PlacedRow,
  type Work,
} from "./build.ts";
import { findPlace, indexProducts, type Place } from "./place.ts";
import type { CheckedRow, RowChecks, RowDetail, SheetChange } from "./queries.ts";
import { readRow, type GivenRow } from "./row-values.ts";
import type { SheetTable } from "./table.ts";

/**
 * Compares the rows of a file with the catalogue, row by row. Changes nothing. The problems are
 * untranslated messages.
 */
export function checkSheet(
  { rows }: Pick<SheetTable, "rows">,
  saved: readonly AccountProduct[],
  context: Context,
): RowChecks {
  const index = indexProducts(saved);
  const checked = new Map<GivenRow, CheckedRow>();
  const works = new Map<string, Work>();
  const taken = new Map<string, number>();
  const refuse = (row: GivenRow, problems: string[], names = namesOf(row)) =>
    checked.set(row, { row: row.at, names, outcome: "refused", problems, details: [] });

  for (const row of rows) {
    const { values, problems } = readRow(row, context.languages);
    const place = problems.length > 0 ? null : findPlace(index, values, context);
    if (!place || "problem" in place) {
      refuse(row, place ? [place.problem] : problems);
      continue;
    }
    const earlier = taken.get(place.key);
    if (earlier !== undefined) {
      refuse(row, [problem("double", { row: earlier })]);
      continue;
    }
    taken.set(place.key, row.at);
    const work = works.get(place.productKey) ?? { saved: place.product, rows: [] };
    work.rows.push({ row, values, place });
    works.set(place.productKey, work);
  }

  const changes: SheetChange[] = [];
  for (const work of works.values()) {
    const { change, refused, accepted } = checkProduct(work, context);
    for (const [row, problems] of refused) refuse(row, problems);
    for (const [row, one] of accepted) checked.set(row, one);
    if (change) changes.push(change);
  }
  return { rows: rows.flatMap((row) => checked.get(row) ?? []), changes };
}

const namesOf = ({ cells }: GivenRow) =>
  [cells.product, cells.plan, cells.period].flatMap((text) => (text ? [text] : []));

/** Leaves out rows until the rest is a product that the catalogue accepts. */
function checkProduct(work: Work, context: Context) {
  const refused = new Map<GivenRow, string[]>();
  for (;;) {
    const rows = work.rows.filter(({ row }) => !refused.has(row));
    if (rows.length === 0) return { change: null, refused, accepted: [] };
    const built = build({ ...work, rows }, context);
    const wrong = wrongRows(work.saved, rows, built);
    if (wrong.size === 0) return { ...resultOf(work.saved, rows, built), refused };
    for (const [row, problems] of wrong) refused.set(row, problems);
  }
}

/** Problems of rows that cannot be applied, by row. */
function wrongRows(
  saved: AccountProduct | null,
  rows: readonly PlacedRow[],
  { draft, isOnSale, details, problems }: Built,
): Map<GivenRow, string[]> {
  if (problems.size > 0) return problems;
  const wrong = new Map<GivenRow, string[]>();
  const add = ({ row }: PlacedRow, text: string) =>
    wrong.set(row, [...new Set([...(wrong.get(row) ?? []), text])]);
  for (const { path, message: text } of ProductInput.safeParse(draft).error?.issues ?? [])
    for (const placed of rowsOf(rows, draft, path)) add(placed, text);
  if (wrong.size > 0) return wrong;
  const archiving = rows.filter(({ row }) =>
    details.get(row)?.some(({ column }) => column === "archived"),
  );
  if (isOnSale && saved && isSellable(draftOf(saved)) && !isSellable(draft))
    for (const placed of archiving) add(placed, problem("last"));
  return wrong;
}

const isSellable = ({ plans }: ProductDraft) =>
  plans.some(({ periods }) =>
    periods.some(({ is_archived, is_current }) => is_current && !is_archived),
  );

/**
 * The rows that a problem at this place of the draft is about; all rows if it is about no single
 * one.
 */
function rowsOf(
  rows: readonly PlacedRow[],
  { plans }: ProductDraft,
  [, planAt, field, periodAt]: readonly PropertyKey[],
): readonly PlacedRow[] {
  const plan = plans[Number(planAt)];
  const period = field === "periods" ? plan?.periods[Number(periodAt)] : undefined;
  const ofPeriod = rows.filter(
    ({ row, place }) =>
      period && (period.key === keyOf(row) || period.pbp_id === (place.pbp_id ?? "")),
  );
  const ofPlan = rows.filter(({ place }) => place.planKey === plan?.key);
  return [ofPeriod, ofPlan].find((some) => some.length > 0) ?? rows;
}

function resultOf(
  saved: AccountProduct | null,
  rows: readonly PlacedRow[],
  { draft, isOnSale, details, added, moved }: Built,
): { change: SheetChange | null; accepted: [GivenRow, CheckedRow][] } {
  const product = ProductInput.parse(draft);
  const shared = { name: product.name, product, is_active: isOnSale };
  const accepted = rows.map(({ row, place }): [GivenRow, CheckedRow] => {
    const move = moved.get(place.pbp_id ?? "");
    const told: RowDetail[] = [
      ...(details.get(row) ?? []),
      ...(move
        ? [{ column: "order" as const, before: `${move.before}`, after: `${move.after}` }]
        : []),
    ];
    const outcome = added.has(row) ? "add" : told.length > 0 ? "change" : "same";
    const { names, period } = foundIn(product, place, keyOf(row));
    if (period && outcome === "add")
      told.unshift({
        column: "price",
        before: "",
        after: period.price,
        currency: period.currency,
      });
    return [row, { row: row.at, names, outcome, problems: [], details: told }];
  });
  if (!saved) return { change: { ...shared, kind: "add", form: randomUUID() }, accepted };
  if (accepted.every(([, { outcome }]) => outcome === "same"))
    return { change: null, accepted };
  const { product_id, version } = saved;
  return { change: { ...shared, kind: "change", product_id, version }, accepted };
}

function foundIn({ name, plans }: ProductDraft, place: Place, newKey: string) {
  const plan = plans.find(({ key }) => key === place.planKey);
  const period = plan?.periods.find(({ key }) => key === (place.pbp_id ?? newKey));
  return { names: [name, plan?.plan_name ?? "", period?.label ?? ""], period };
}
