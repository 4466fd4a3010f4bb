import { discountOn, offerDays, calculateAmount, type Amount } from "#contract/amount.ts";
import type { BillingPeriod, Product } from "#contract/products.ts";
import { addDays } from "#lib/format/calendar.ts";
import type { ToPay } from "#lib/format/format.ts";
import { isSameDecimal } from "#lib/format/decimal.ts";

type Priced = Pick<BillingPeriod, "price" | "offers">;

/**
 * The checkout's lines on a day: the best offer, then VAT. Null if the price is not a plain decimal
 * or the VAT kind is unknown.
 * @param day the seller's calendar day, YYYY-MM-DD
 */
export function calculatePrice(
  { price, offers }: Priced,
  vat: Product["vat"],
  day: string,
): Amount | null {
  const { is_vat_active, vat_type, vat_percentage } = vat;
  return calculateAmount({
    price,
    discount: discountOn(offers, day),
    is_vat_active,
    vat_type,
    vat_percentage: String(vat_percentage),
  });
}

/** A listed period's amount from one day on, until its next step. */
export interface PriceStep {
  pbp_id: string;
  /** The list price; decimal text as received. */
  price: string;
  currency: string;
  /** The first day of the step, YYYY-MM-DD; null for the first step. */
  since: string | null;
  /** The checkout amount; null if it cannot be calculated. */
  amount: string | null;
}

/** The price steps of each period: one begins on each offer's first day and the day after its last. */
export function priceSteps({ plan, vat }: Pick<Product, "plan" | "vat">): PriceStep[] {
  return plan.flatMap(({ billing_periods }) =>
    billing_periods.flatMap((period) => {
      const { pbp_id, price, currency, offers } = period;
      const days = offers
        .filter(({ is_active }) => is_active)
        .flatMap((offer) => {
          const span = offerDays(offer);
          return span ? [span[0], addDays(span[1], 1)] : [];
        });
      const stepOf = (since: string | null) => ({
        pbp_id,
        price,
        currency,
        since,
        amount: calculatePrice(period, vat, since ?? "")?.total ?? null,
      });
      return [stepOf(null), ...[...new Set(days)].toSorted().map(stepOf)];
    }),
  );
}

/** Amounts of one day by pbp_id. */
export type Amounts = Record<string, Pick<PriceStep, "price" | "currency" | "amount">>;

/** Each period's step on a day, YYYY-MM-DD. */
export function amountsOn(steps: readonly PriceStep[], day: string): Amounts {
  const begun = steps.filter(({ since }) => since === null || since <= day).toSorted(bySince);
  return Object.fromEntries(
    begun.map(({ pbp_id, price, currency, amount }) => [pbp_id, { price, currency, amount }]),
  );
}

const bySince = (one: PriceStep, other: PriceStep) =>
  (one.since ?? "") < (other.since ?? "") ? -1 : 1;

/** @param product the subscription's own product, with its list price */
export function amountToPay(
  amounts: Amounts,
  { pbp_id, price, currency }: { pbp_id: string; price: string; currency: string },
): ToPay {
  const listed = Object.hasOwn(amounts, pbp_id) ? amounts[pbp_id] : undefined;
  const isSame = listed?.currency === currency && isSameDecimal(price, listed.price);
  return isSame && listed.amount !== null
    ? { amount: listed.amount, currency, is_list_price: false }
    : { amount: price, currency, is_list_price: true };
}

/** The change of what a buyer pays: the amounts of one billing, with offers and VAT. */
export interface PriceNotice {
  /** The first day of the new price, YYYY-MM-DD. */
  day: string;
  before: { amount: string; currency: string };
  after: { amount: string; currency: string };
}
