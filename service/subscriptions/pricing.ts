/** What one billing period costs, as rows hold it: decimal text, never a float. */
export interface Price {
  price: string;
  is_vat_active: boolean;
  vat_type: string;
  vat_percentage: string;
  /** The best offer of the day, or null. */
  discount: string | null;
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

/** ADR 0127: the offer first, then VAT if exclusive, rounded half up to two places. */
export function amountDue({
  price,
  discount,
  is_vat_active,
  vat_type,
  vat_percentage,
}: Price): Amount {
  const listed = hundredths(price);
  const net = discount === null ? listed : listed - min(hundredths(discount), listed);
  const rate = is_vat_active ? hundredths(vat_percentage) : 0n;
  const isIncluded = vat_type !== "exclusive";
  // The rate is in hundredths of a percent, so 100 % is 10,000 of it.
  const vat = isIncluded
    ? divideHalfUp(net * rate, 10_000n + rate)
    : divideHalfUp(net * rate, 10_000n);
  return {
    price: decimal(listed),
    discount: net < listed ? decimal(listed - net) : null,
    vat: rate > 0n ? decimal(vat) : null,
    vat_is_included: isIncluded,
    total: decimal(isIncluded ? net : net + vat),
  };
}

function hundredths(text: string): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole) * 100n + BigInt(fraction.slice(0, 2).padEnd(2, "0"));
}

const decimal = (value: bigint) => `${value / 100n}.${String(value % 100n).padStart(2, "0")}`;
const min = (a: bigint, b: bigint) => (a < b ? a : b);
const divideHalfUp = (value: bigint, by: bigint) => (2n * value + by) / (2n * by);
