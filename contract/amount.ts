/** What one billing period costs on a day; amounts and the rate are decimal texts, never floats. */
export interface Charge {
  price: string;
  /** The best offer of the day, or null. */
  discount: string | null;
  is_vat_active: boolean;
  vat_type: string;
  /** The rate as decimal text: "13" or "13.00" for 13 %. */
  vat_percentage: string;
}

/** An offer of a product; days are YYYY-MM-DD, optionally followed by a time. */
export interface ListedOffer {
  discount_amount: string | number;
  starts_at: string;
  valid_until: string;
  is_active: boolean;
}

/** First and last day of the offer; null if unreadable. */
export function offerDays({
  starts_at,
  valid_until,
}: Pick<ListedOffer, "starts_at" | "valid_until">): [first: string, last: string] | null {
  const [first, last] = [starts_at, valid_until].map((text) => text.slice(0, 10));
  return first && last && DAY.test(first) && DAY.test(last) ? [first, last] : null;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Both days are included; an offer without readable days is never active. */
export function isOfferActive(offer: ListedOffer, day: string): boolean {
  const days = offerDays(offer);
  return offer.is_active && days !== null && days[0] <= day && day <= days[1];
}

/**
 * The discount on a day: the largest valid offer. Offers that are not decimals with at most two
 * places are ignored.
 * @param day the seller's calendar day, YYYY-MM-DD
 */
export function discountOn(offers: readonly ListedOffer[], day: string): string | null {
  const discounts = offers
    .filter((offer) => isOfferActive(offer, day))
    .flatMap(({ discount_amount }) => hundredths(String(discount_amount)) ?? []);
  const [first, ...others] = discounts;
  if (first === undefined) return null;
  return decimal(others.reduce((best, one) => (one > best ? one : best), first));
}

/** Every amount is decimal text with two places; `total` is what the buyer pays. */
export interface Amount {
  price: string;
  discount: string | null;
  /** The tax inside `total`; null when none applies. */
  vat: string | null;
  vat_is_included: boolean;
  total: string;
}

/**
 * The amount the checkout charges: the offer is deducted first, then exclusive VAT is added,
 * rounded half up to two places (spec choice, amounts). A discount above the price gives 0.00.
 * Null if a text is not a decimal with at most two places, or the kind of VAT is unknown.
 */
export function calculateAmount(charge: Charge): Amount | null {
  const listed = hundredths(charge.price);
  const discount = charge.discount === null ? 0n : hundredths(charge.discount);
  const rate = charge.is_vat_active ? hundredths(charge.vat_percentage) : 0n;
  if (listed === null || discount === null || rate === null) return null;
  const isIncluded = charge.vat_type === "inclusive";
  if (rate > 0n && !isIncluded && charge.vat_type !== "exclusive") return null;
  const net = discount < listed ? listed - discount : 0n;
  // The rate is in hundredths of a percent, so 100 % is 10,000.
  const vat = divideHalfUp(net * rate, isIncluded ? 10_000n + rate : 10_000n);
  return {
    price: decimal(listed),
    discount: net < listed ? decimal(listed - net) : null,
    vat: rate > 0n ? decimal(vat) : null,
    vat_is_included: isIncluded,
    total: decimal(isIncluded ? net : net + vat),
  };
}

/** The sum of amounts of one currency, each times its count; decimal text with two places. */
export function totalAmount(amounts: readonly { amount: string; count: number }[]): string {
  return decimal(
    amounts.reduce(
      (sum, { amount, count }) => sum + requireHundredths(amount) * BigInt(count),
      0n,
    ),
  );
}

/** The processing fee of a payment: 1.99 %, rounded half up to two places. */
export const processingFee = (amount: string): string =>
  decimal(divideHalfUp(requireHundredths(amount) * 199n, 10_000n));

/**
 * An amount in a currency's smallest unit, as providers take it; null unless it comes out exactly.
 * @param places the decimal places of the currency
 */
export function minorUnits(amount: string, places: 0 | 2): bigint | null {
  const value = hundredths(amount);
  if (value === null || places === 2) return value;
  return value % 100n === 0n ? value / 100n : null;
}

/**
 * Decimal text with two places of a whole number of smallest units, a number or a text such as
 * 120000 or "120000.00"; null if it is no such number.
 */
export function fromMinorUnits(units: unknown, places: 0 | 2): string | null {
  const whole = /^(\d+)(?:\.0+)?$/.exec(textOf(units))?.[1];
  if (whole === undefined) return null;
  return decimal(places === 2 ? BigInt(whole) : BigInt(whole) * 100n);
}

/**
 * Decimal text with two places of an amount as a provider writes it: 1200.5, "1200" or "1,200.0";
 * null for other texts, and for more than two places.
 */
export function readAmount(written: unknown): string | null {
  const text = textOf(written);
  const value = /^\d{1,3}(,\d{2,3})+(\.\d*)?$/.test(text)
    ? hundredths(text.replaceAll(",", ""))
    : hundredths(text);
  return value === null ? null : decimal(value);
}

/** The amount with two places, or with none if they are zero: "1200.50", "1200". */
export const shortAmount = (amount: string): string =>
  decimal(requireHundredths(amount)).replace(/\.00$/, "");

const textOf = (value: unknown): string =>
  typeof value === "string" ||
  (typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER)
    ? String(value)
    : "";

/** Compares two decimal texts exactly. */
export const isAmountAbove = (amount: string, limit: string): boolean =>
  requireHundredths(amount) > requireHundredths(limit);

/** Subtracts decimal amounts; two places. Null if the result would be negative. */
export function amountLeft(amount: string, taken: string): string | null {
  const left = requireHundredths(amount) - requireHundredths(taken);
  return left < 0n ? null : decimal(left);
}

function requireHundredths(text: string): bigint {
  const value = hundredths(text);
  if (value === null) throw new Error("An amount must be a decimal with two places.");
  return value;
}

/**
 * The amount in hundredths; null unless it is a plain decimal with at most two significant places.
 */
export function hundredths(text: string): bigint | null {
  const match = /^(\d+)(?:\.(\d{0,2})0*)?$/.exec(text);
  return match ? BigInt(`${match[1]}${(match[2] ?? "").padEnd(2, "0")}`) : null;
}

const decimal = (value: bigint) => `${value / 100n}.${String(value % 100n).padStart(2, "0")}`;
const divideHalfUp = (value: bigint, by: bigint) => (2n * value + by) / (2n * by);
