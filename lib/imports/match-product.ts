import "server-only";
import { hundredths, readAmount } from "#contract/amount.ts";
import { asciiDigits } from "#contract/phone-number.ts";
import type { CatalogueProduct } from "#lib/products/queries.ts";
import { isOnSale, type PeriodWithProduct } from "#lib/products/rules.ts";
import { headingKey } from "./headings.ts";
import type { RowProblem } from "./rules.ts";

/** A billing period that is on sale. */
type Matched = Pick<CatalogueProduct, "product_id"> & {
  pbp_id: string;
  isOneTime: boolean;
};

type Answer = Matched | RowProblem;

/** Finds the billing period that the cells of a row name; the default is for rows that name none. */
export type ProductMatcher = (
  product: string,
  price: string,
  default_pbp_id: string | null,
) => Answer;

/** Everything that can be sold now. */
export const sellablePeriods = (products: readonly CatalogueProduct[]): PeriodWithProduct[] =>
  products.flatMap((product) =>
    product.plan.flatMap((plan) =>
      plan.billing_periods
        .filter((period) => isOnSale(product, period))
        .map((period) => ({ product, plan, period })),
    ),
  );

/**
 * A cell names a product by its id, its name (with or without that of a plan or billing period) or the
 * id of a billing period; it names a price by the name or id of the billing period or its plan, or by
 * the amount.
 */
export function productMatcher(products: readonly CatalogueProduct[]): ProductMatcher {
  const all = sellablePeriods(products);
  const byProduct = namesOf(all, ({ product, plan, period }) => [
    product.product_id,
    period.pbp_id,
    product.name,
    `${product.name} ${plan.plan_name}`,
    `${product.name} ${period.label}`,
    `${product.name} ${plan.plan_name} ${period.label}`,
  ]);
  const byPrice = namesOf(all, ({ product, plan, period }) => [
    period.pbp_id,
    plan.plan_id,
    period.label,
    plan.plan_name,
    `${plan.plan_name} ${period.label}`,
    `${product.name} ${plan.plan_name} ${period.label}`,
  ]);
  const byAmount = new Map(
    Map.groupBy(all, ({ period }) => String(hundredths(period.price) ?? "")),
  );

  function find(product: string, price: string, default_pbp_id: string | null): Answer {
    const ofProduct = product === "" ? all : byProduct.get(headingKey(product));
    if (!ofProduct) return "unknown_product";
    const usual = ofProduct.filter(({ period }) => period.pbp_id === default_pbp_id);
    if (price === "")
      return one(
        usual.length > 0 ? usual : ofProduct,
        product === "" ? "missing_product" : undefined,
      );
    const amount = readAmount(plainAmount(price));
    const named = byPrice.get(headingKey(price)) ?? [];
    const priced = amount === null ? [] : (byAmount.get(String(hundredths(amount))) ?? []);
    const asked = new Set([...named, ...priced]);
    const left = ofProduct.filter((period) => asked.has(period));
    return left.length === 0 ? "unknown_price" : one(left);
  }

  const known = new Map<string, Answer>();
  return (product, price, default_pbp_id) => {
    const asked = [product, price, default_pbp_id ?? ""].join("\0");
    const answer = known.get(asked) ?? find(product, price, default_pbp_id);
    known.set(asked, answer);
    return answer;
  };
}

function one(
  [first, ...others]: PeriodWithProduct[],
  several: RowProblem = "several_prices",
): Answer {
  if (!first) return "unknown_product";
  if (others.length > 0) return several;
  const { product, period } = first;
  const { pbp_id, interval_type } = period;
  return { product_id: product.product_id, pbp_id, isOneTime: interval_type === "one_time" };
}

function namesOf(
  periods: readonly PeriodWithProduct[],
  names: (period: PeriodWithProduct) => string[],
): Map<string, PeriodWithProduct[]> {
  const found = new Map<string, PeriodWithProduct[]>();
  for (const period of periods)
    for (const key of new Set(names(period).map(headingKey)))
      if (key !== "") found.set(key, [...(found.get(key) ?? []), period]);
  return found;
}

/** "Rs. 1,200/-" as "1,200". */
const plainAmount = (text: string) =>
  asciiDigits(text)
    .replace(/^(NPR|Rs|रु|रू|INR|USD|[$€£₹])\.?\s*/iu, "")
    .replace(/\s*(NPR|Rs|INR|USD|\/-)\.?$/iu, "")
    .trim();
