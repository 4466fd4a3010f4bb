/** Arithmetic on decimal texts such as "1999.50", without floats. */

/** A non-negative decimal number. */
export const isDecimal = (text: string) => /^\d+(?:\.\d+)?$/.test(text);

/** The sum, with the decimal places of the longer one. */
export function addDecimals(one: string, other: string): string {
  const places = placesOf(one, other);
  const sum = String(scale(one, places) + scale(other, places)).padStart(places + 1, "0");
  return places === 0 ? sum : `${sum.slice(0, -places)}.${sum.slice(-places)}`;
}

/** @param count a non-negative integer */
export function timesDecimal(text: string, count: number): string {
  const places = placesOf(text);
  const product = String(scale(text, places) * BigInt(count)).padStart(places + 1, "0");
  return places === 0 ? product : `${product.slice(0, -places)}.${product.slice(-places)}`;
}

export function isLess(one: string, other: string): boolean {
  const places = placesOf(one, other);
  return scale(one, places) < scale(other, places);
}

const placesOf = (...texts: string[]) =>
  Math.max(...texts.map((text) => text.split(".")[1]?.length ?? 0));

function scale(text: string, places: number): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(places, "0"));
}
