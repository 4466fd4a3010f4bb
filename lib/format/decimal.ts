// Arithmetic on decimal texts such as "1999.50", without floats.

/** A non-negative decimal number. */
export const isDecimal = (text: string) => /^\d+(?:\.\d+)?$/.test(text);

/** A decimal number that may be below zero. */
export const isSignedDecimal = (text: string) => isDecimal(text.replace(/^-/, ""));

/** The sum, with the decimal places of the longer one. */
export function addDecimals(one: string, other: string): string {
  const places = placesOf(one, other);
  return write(scale(one, places) + scale(other, places), places);
}

/** @param count a non-negative integer */
export function multiplyDecimal(text: string, count: number): string {
  const places = placesOf(text);
  return write(scale(text, places) * BigInt(count), places);
}

export function isLessDecimal(one: string, other: string): boolean {
  const places = placesOf(one, other);
  return scale(one, places) < scale(other, places);
}

/** Whether both are decimals of the same value, such as "5" and "5.00". */
export const isSameDecimal = (one: string, other: string) =>
  isDecimal(one) &&
  isDecimal(other) &&
  !isLessDecimal(one, other) &&
  !isLessDecimal(other, one);

const placesOf = (...texts: string[]) =>
  Math.max(...texts.map((text) => text.split(".")[1]?.length ?? 0));

function write(scaled: bigint, places: number): string {
  const text = String(scaled).padStart(places + 1, "0");
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
}

function scale(text: string, places: number): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(places, "0"));
}
