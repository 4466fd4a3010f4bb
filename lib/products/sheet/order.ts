import type { PeriodDraft, PlanDraft, ProductDraft } from "../draft.ts";

/** Plans and billing periods in another order. */
export interface Arranged {
  plans: PlanDraft[];
  /** Saved billing periods that moved, by key: their places in the product, from 1. */
  moved: Map<string, { before: number; after: number }>;
}

/**
 * Brings plans and billing periods into the order that rows ask for. If no row asks for a place, a saved
 * period keeps its own (an archived one stays behind its neighbour), and a new one comes last.
 * @param before the saved product
 * @param orders places in the product, by the period's key
 */
export function arrange(
  before: ProductDraft | null,
  draft: ProductDraft,
  orders: ReadonlyMap<string, number>,
): Arranged {
  const saved = flat(before?.plans ?? []);
  const places = new Map<string, number>();
  let last = 0;
  for (const [at, { key, is_archived }] of saved.entries()) {
    last = orders.get(key) ?? (is_archived ? last : at + 1);
    places.set(key, last);
  }
  const placeOf = ({ key }: PeriodDraft) => orders.get(key) ?? places.get(key) ?? Infinity;
  const isAsked = ({ key }: PeriodDraft) => (orders.has(key) ? 0 : 1);
  const byPlace = (one: PeriodDraft, other: PeriodDraft) =>
    compare(placeOf(one), placeOf(other)) || isAsked(one) - isAsked(other);
  const plans = draft.plans.map((plan) => ({
    ...plan,
    periods: plan.periods.toSorted(byPlace),
  }));
  let place = 0;
  const sorted = plans
    .map((plan) => {
      const [first] = plan.periods;
      place = first ? placeOf(first) : place;
      return { plan, place, first };
    })
    .toSorted((one, other) => compare(one.place, other.place))
    .map(({ plan }) => plan);
  return { plans: sorted, moved: movedPeriods(saved, flat(sorted)) };
}

const compare = (one: number, other: number) => (one === other ? 0 : one < other ? -1 : 1);

const flat = (plans: readonly PlanDraft[]) => plans.flatMap(({ periods }) => periods);

function movedPeriods(before: PeriodDraft[], after: PeriodDraft[]): Arranged["moved"] {
  const known = new Set(before.map(({ key }) => key));
  const kept = after.filter(({ key }) => known.has(key));
  const moved: Arranged["moved"] = new Map();
  if (kept.every(({ key }, at) => key === before[at]?.key)) return moved;
  for (const [at, { key }] of before.entries()) {
    const place = after.findIndex((period) => period.key === key);
    if (kept[at]?.key !== key) moved.set(key, { before: at + 1, after: place + 1 });
  }
  return moved;
}
