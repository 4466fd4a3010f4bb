import type { BillingPeriod, Offer, Plan, Product } from "#contract/products.ts";
import { isDecimal, isLess } from "#lib/decimal.ts";
import type { Translate } from "#lib/i18n/translate.ts";
import type { CatalogueProduct } from "./queries.ts";

export interface Choice {
  product: CatalogueProduct;
  plan: Plan;
  period: BillingPeriod;
}

/** What a pbp_id stands for in this catalogue; a period off sale is in none. */
export function findChoice(products: CatalogueProduct[], pbp_id: string): Choice | null {
  for (const product of products) {
    for (const plan of product.plan) {
      const period = plan.billing_periods.find((item) => item.pbp_id === pbp_id);
      if (period) return { product, plan, period };
    }
  }
  return null;
}

export interface PriceParts {
  /** Decimal texts with two places, as is every amount here. */
  price: string;
  discount: string | null;
  /** Null when the product bears none. */
  vat: { percentage: number; amount: string; is_included: boolean } | null;
  total: string;
}

/**
 * What the buyer is asked for today, worked out as we expect the service to: the offer first, then
 * VAT where the price excludes it, rounded half up. Null when the price is not a plain decimal, or its
 * VAT of a kind that we cannot reckon with.
 * @param today the seller's calendar day, YYYY-MM-DD
 */
export function workOutPrice(
  period: Pick<BillingPeriod, "price" | "offers">,
  vat: Product["vat"],
  today: string,
): PriceParts | null {
  const price = toMinor(period.price);
  if (price === null) return null;
  const offer = period.offers.find((candidate) => isOfferActive(candidate, today));
  if (vat.is_vat_active && vat.vat_percentage > 0 && !isReckoned(vat.vat_type)) return null;
  const discount = offer ? toMinor(String(offer.discount_amount)) : null;
  const net = discount === null || discount > price ? price : price - discount;
  const tax = workOutVat(net, vat);
  return {
    price: fromMinor(price),
    discount: discount === null || net === price ? null : fromMinor(price - net),
    vat: tax && { ...tax, amount: fromMinor(tax.amount) },
    total: fromMinor(tax && !tax.is_included ? net + tax.amount : net),
  };
}

export interface PriceRange {
  currency: string;
  lowest: string;
  highest: string;
}

/** From the cheapest to the dearest period on sale, a range for each currency; what is no number is left out. */
export function priceRanges({ plan }: Pick<Product, "plan">): PriceRange[] {
  const ranges = new Map<string, PriceRange>();
  const periods = plan.flatMap(({ billing_periods }) => billing_periods);
  for (const { price, currency, is_archived } of periods) {
    if (is_archived || !isDecimal(price)) continue;
    const { lowest, highest } = ranges.get(currency) ?? { lowest: price, highest: price };
    ranges.set(currency, {
      currency,
      lowest: isLess(price, lowest) ? price : lowest,
      highest: isLess(highest, price) ? price : highest,
    });
  }
  return [...ranges.values()];
}

/** Whether a buyer can be given a new subscription of this period. */
export function isOnSale(
  product: Pick<Product, "is_active">,
  period: Pick<BillingPeriod, "is_current" | "is_archived">,
): boolean {
  return product.is_active && period.is_current && !period.is_archived;
}

export type ProductState = "active" | "no_period" | "inactive";

export function stateOf(product: Pick<Product, "is_active" | "plan">): ProductState {
  if (!product.is_active) return "inactive";
  const periods = product.plan.flatMap(({ billing_periods }) => billing_periods);
  return periods.some(({ is_archived }) => !is_archived) ? "active" : "no_period";
}

/** The first and the last day count; an offer without readable days never holds. */
export function isOfferActive(offer: Offer, today: string): boolean {
  const { is_active, starts_at, valid_until } = offer;
  if (![starts_at, valid_until].every((day) => /^\d{4}-\d{2}-\d{2}/.test(day))) return false;
  return is_active && starts_at <= today && today <= valid_until;
}

/** "every month", "every 3 months", "once"; a type we do not know is shown as it came. */
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

const isReckoned = (type: string) => type === "inclusive" || type === "exclusive";

function workOutVat(net: bigint, vat: Product["vat"]) {
  if (!vat.is_vat_active) return null;
  const percentage = vat.vat_percentage;
  const rate = toMinor(String(percentage));
  if (rate === null || rate === 0n) return null;
  const is_included = vat.vat_type !== "exclusive";
  const amount = is_included
    ? divideHalfUp(net * rate, 10_000n + rate)
    : divideHalfUp(net * rate, 10_000n);
  return { percentage, amount, is_included };
}

const divideHalfUp = (dividend: bigint, divisor: bigint) =>
  (2n * dividend + divisor) / (2n * divisor);

/** Hundredths, so that no sum passes through a float; null unless plain with at most two places. */
function toMinor(text: string): bigint | null {
  const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text);
  return match ? BigInt(`${match[1]}${(match[2] ?? "").padEnd(2, "0")}`) : null;
}

function fromMinor(amount: bigint): string {
  const text = amount.toString().padStart(3, "0");
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
}
