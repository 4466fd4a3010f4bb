/** Amounts in units so small that a division's rounding never changes the second decimal place. */
const UNIT = 10n ** 40n;

export function toUnits(price: string): bigint {
  const [whole = "0", places = ""] = price.split(".");
  return BigInt(whole) * UNIT + BigInt(places.padEnd(40, "0"));
}

export const sumUnits = (prices: string[]) =>
  prices.map(toUnits).reduce((sum, units) => sum + units, 0n);

/**
 * The price per month in the smallest units.
 * @param every the interval, such as "month:3" or "week:2"
 */
export function monthlyUnits(price: string, every: string): bigint {
  const [type, count] = every.split(":");
  const units = toUnits(price);
  if (type === "month") return units / BigInt(count ?? 1);
  if (type === "year") return units / (12n * BigInt(count ?? 1));
  const days = BigInt(count ?? 1) * (type === "week" ? 7n : 1n);
  return (units * 3_652_425n) / (days * 120_000n);
}

/** Rounds half up to two decimal places; a deviation below one unit does not matter. */
export function roundUnits(units: bigint): string {
  const cents = (units + UNIT / 200n + 10n ** 20n) / (UNIT / 100n);
  const text = String(cents).padStart(3, "0");
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
}
