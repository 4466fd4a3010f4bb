import type { AccountProduct } from "#contract/account.ts";
import { isSameDecimal } from "#lib/format/decimal.ts";
import { withFormulas } from "#lib/files/table-file.ts";
import { message, type Translate } from "#lib/i18n/message.ts";
import { draftOf, type PeriodDraft, type PlanDraft, type ProductDraft } from "../draft.ts";
import { headingOf } from "./columns.ts";
import { completeInterval, defaultLabel, saysText, type RowValues } from "./row-values.ts";

/** The product, plan and period that a row is about. */
export interface Place {
  /** Null for a product that the row adds. */
  product: AccountProduct | null;
  productKey: string;
  /** The key of a plan of the product's draft, or a new one. */
  planKey: string;
  /** The name of a new plan. */
  planName: string;
  /** Null for a billing period that the row adds. */
  pbp_id: string | null;
  /** A key that two rows about the same billing period share. */
  key: string;
}

interface Known {
  product: AccountProduct;
  draft: ProductDraft;
}

interface ProductIndex {
  products: Map<string, Known>;
  /** Periods by pbp_id. */
  periods: Map<string, Known & { plan: PlanDraft; period: PeriodDraft }>;
  /** The billing period with the newer price, by the pbp_id of the archived one. */
  successors: Map<string, string>;
}

export function indexProducts(saved: readonly AccountProduct[]): ProductIndex {
  const index: ProductIndex = {
    products: new Map(),
    periods: new Map(),
    successors: new Map(),
  };
  for (const product of saved) {
    const known = { product, draft: draftOf(product) };
    index.products.set(product.product_id, known);
    for (const plan of known.draft.plans)
      for (const period of plan.periods)
        if (period.pbp_id) index.periods.set(period.pbp_id, { ...known, plan, period });
    for (const { pbp_id, replaces } of product.plan.flatMap(
      ({ billing_periods }) => billing_periods,
    ))
      if (replaces) index.successors.set(replaces, pbp_id);
  }
  return index;
}

interface PlaceContext {
  languages: readonly [Translate<"sheet">, ...unknown[]];
  format: Translate<"format">;
  currency: string;
}

type Refused = { problem: string };

/**
 * The billing period of a row: by its ids, else by its names. The id of an archived period means
 * its successor, unless the row says that it is archived.
 */
export function findPlace(
  index: ProductIndex,
  values: RowValues,
  context: PlaceContext,
): Place | Refused {
  const named = values.pbp_id === null ? null : index.periods.get(values.pbp_id);
  if (named === undefined) return unknownId("pbp_id", context);
  const known = findProduct(index, values, named, context);
  if (known && "problem" in known) return known;
  if (named && named.product !== known?.product) return refused("sheet.problem.otherProduct");
  const productKey = known
    ? known.product.product_id
    : `new:${withFormulas(values.product ?? "")}`;
  const plan = findPlan(values, known, named, context);
  if ("problem" in plan) return plan;
  const shared = { product: known?.product ?? null, productKey, ...plan };
  if (named) {
    const { pbp_id } = values.archived === "yes" ? named.period : newestOf(index, named.period);
    return { ...shared, pbp_id, key: `period:${pbp_id}` };
  }
  const interval = completeInterval(values, known?.draft ?? null, context.currency);
  const label = values.period ?? defaultLabel(context.format, interval);
  const candidates = (
    known?.draft.plans.find(({ key }) => key === plan.planKey)?.periods ?? []
  ).filter((period) => saysText(label, period.label) && isSameInterval(period, interval));
  if (values.archived === "yes") {
    const same = candidates.filter(({ price }) => isSameDecimal(price, values.price));
    const found = same.find(({ is_archived }) => is_archived) ?? same[0];
    if (!found) return refused("sheet.problem.archivedNew");
    return { ...shared, pbp_id: found.pbp_id, key: `period:${found.pbp_id}` };
  }
  const [found, another] = candidates.filter(({ is_archived }) => !is_archived);
  if (another) return refused("sheet.problem.ambiguousPeriod");
  if (found) return { ...shared, pbp_id: found.pbp_id, key: `period:${found.pbp_id}` };
  const { interval_type, interval_count, currency } = interval;
  const key = [productKey, plan.planKey, label, interval_type, interval_count, currency];
  return { ...shared, pbp_id: null, key: JSON.stringify(key) };
}

const refused = (
  key: `sheet.problem.${
    | "otherProduct"
    | "otherPlan"
    | "ambiguousProduct"
    | "ambiguousPlan"
    | "ambiguousPeriod"
    | "archivedNew"
    | "noName"}`,
): Refused => ({ problem: message(key) });

const unknownId = (
  column: "product_id" | "plan_id" | "pbp_id",
  { languages: [t] }: PlaceContext,
): Refused => ({
  problem: message("sheet.problem.unknownId", { column: headingOf(t, column) }),
});

function findProduct(
  index: ProductIndex,
  { product, product_id }: RowValues,
  named: Known | null,
  context: PlaceContext,
): Known | Refused | null {
  if (product_id !== null)
    return index.products.get(product_id) ?? unknownId("product_id", context);
  if (named) return named;
  if (product === null) return refused("sheet.problem.noName");
  const [found, another] = [...index.products.values()].filter(({ draft }) =>
    saysText(product, draft.name),
  );
  if (another) return refused("sheet.problem.ambiguousProduct");
  return found ?? null;
}

function findPlan(
  { plan: name, plan_id }: RowValues,
  known: Known | null,
  named: { plan: PlanDraft } | null,
  context: PlaceContext,
): Pick<Place, "planKey" | "planName"> | Refused {
  const plans = known?.draft.plans ?? [];
  const [t] = context.languages;
  if (plan_id !== null) {
    const plan = plans.find((one) => one.plan_id === plan_id);
    if (!plan) return unknownId("plan_id", context);
    if (named && named.plan.plan_id !== plan_id) return refused("sheet.problem.otherPlan");
    return { planKey: plan.key, planName: plan.plan_name };
  }
  const [only, more] = plans;
  const plan = named?.plan ?? (name === null && only && !more ? only : null);
  if (plan) return { planKey: plan.key, planName: plan.plan_name };
  const planName = name === null ? t("usualPlan") : withFormulas(name);
  const [found, another] = plans.filter(({ plan_name }) =>
    saysText(name ?? planName, plan_name),
  );
  if (another) return refused("sheet.problem.ambiguousPlan");
  return { planKey: found?.key ?? `new:${planName}`, planName };
}

/**
 * The billing period with the newest price; an archived period without a successor is returned
 * itself.
 */
function newestOf(index: ProductIndex, period: PeriodDraft): PeriodDraft {
  if (!period.is_archived || period.pbp_id === null) return period;
  const next = index.periods.get(index.successors.get(period.pbp_id) ?? "");
  return next ? newestOf(index, next.period) : period;
}

type Interval = Pick<PeriodDraft, "interval_type" | "interval_count" | "currency">;

const isSameInterval = (one: Interval, other: Interval) =>
  one.interval_type === other.interval_type &&
  one.currency === other.currency &&
  (one.interval_type === "one_time" || isSameDecimal(one.interval_count, other.interval_count));
