import type { BillingPeriod, Plan, Product } from "#contract/products.ts";
import { isDecimal, isLessDecimal } from "#lib/format/decimal.ts";
import type { Translate } from "#lib/i18n/message.ts";
import type { CatalogueProduct } from "./queries.ts";

export interface PeriodWithProduct {
  product: CatalogueProduct;
  plan: Plan;
  period: BillingPeriod;
}

/** The period with this pbp_id, with its plan and product; null if the catalogue does not have it. */
export function findPeriodWithProduct(
  products: CatalogueProduct[],
  pbp_id: string,
): PeriodWithProduct | null {
  for (const product of products) {
    for (const plan of product.plan) {
      const period = plan.billing_periods.find((item) => item.pbp_id === pbp_id);
      if (period) return { product, plan, period };
    }
  }
  return null;
}

interface PriceRange {
  currency: string;
  lowest: string;
  highest: string;
}

/** The lowest and highest price by currency; ignores archived periods and prices that are no numbers. */
export function priceRanges({ plan }: Pick<Product, "plan">): PriceRange[] {
  const ranges = new Map<string, PriceRange>();
  const periods = plan.flatMap(({ billing_periods }) => billing_periods);
  for (const { price, currency, is_archived } of periods) {
    if (is_archived || !isDecimal(price)) continue;
    const { lowest, highest } = ranges.get(currency) ?? { lowest: price, highest: price };
    ranges.set(currency, {
      currency,
      lowest: isLessDecimal(price, lowest) ? price : lowest,
      highest: isLessDecimal(highest, price) ? price : highest,
    });
  }
  return [...ranges.values()];
}

/** Whether a subscription of this period can be created. */
export function isOnSale(
  product: Pick<Product, "is_active">,
  period: Pick<BillingPeriod, "is_current" | "is_archived">,
): boolean {
  return product.is_active && period.is_current && !period.is_archived;
}

type ProductState = "active" | "no_period" | "inactive";

export function productStateOf(product: Pick<Product, "is_active" | "plan">): ProductState {
  if (!product.is_active) return "inactive";
  const periods = product.plan.flatMap(({ billing_periods }) => billing_periods);
  return periods.some(({ is_archived }) => !is_archived) ? "active" : "no_period";
}

/**
 * Describes an interval, such as "every month", "every 3 months" or "once"; an unknown type is
 * shown unchanged.
 */
export function intervalWords(
  t: Translate<"format">,
  {
    interval_type: type,
    interval_count,
  }: Pick<BillingPeriod, "interval_type" | "interval_count">,
): string {
  if (type === "one_time") return t("interval.once");
  if (type === "") return t("interval.unnamed");
  const count = Math.max(1, interval_count);
  const known = COUNTED.find((name) => name === type);
  return known ? t(`interval.${known}`, { count }) : t("interval.other", { count, type });
}

const COUNTED = ["day", "week", "month", "year"] as const;
