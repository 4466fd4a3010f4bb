/** Characters of the GSM 7-bit alphabet (3GPP TS 23.038). */
const BASIC =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/** Characters that take two places. */
const EXTENDED = "^{}\\[~]|€\f";

/** Places of a single message, and of each part of several. */
const ROOM = {
  "GSM-7": { one: 160, part: 153 },
  "UCS-2": { one: 70, part: 67 },
} as const;

/** The number of SMS that a text needs, and its length as a reader counts it. */
export function smsLength(text: string) {
  const letters = Array.from(text);
  const isGsm = letters.every((letter) => BASIC.includes(letter) || EXTENDED.includes(letter));
  const encoding: keyof typeof ROOM = isGsm ? "GSM-7" : "UCS-2";
  const sizes = letters.map((letter) =>
    isGsm ? (EXTENDED.includes(letter) ? 2 : 1) : letter.length,
  );
  const places = sizes.reduce((sum, size) => sum + size, 0);
  const { one, part } = ROOM[encoding];
  const characters = letters.length;
  if (places <= one) return { encoding, characters, parts: places === 0 ? 0 : 1 };
  // A character of two places is never split between two parts.
  let parts = 1;
  let filled = 0;
  for (const size of sizes) {
    if (filled + size > part) [parts, filled] = [parts + 1, 0];
    filled += size;
  }
  return { encoding, characters, parts };
}

// A private-use character that stands for an unknown value.
const GAP = "\ue000";

/**
 * Fills in the values of `{name}` and others; unknown values leave no empty brackets or doubled
 * commas, and unknown names stay.
 */
export function fillPlaceholders(body: string, values: Record<string, string>): string {
  const filled = body.replace(/\{([^{}]*)\}/g, (mark, name: string) =>
    Object.hasOwn(values, name) ? values[name] || GAP : mark,
  );
  // Removes spaces and punctuation only next to an unknown value, so that the seller's own spacing
  // stays.
  return filled
    .replaceAll(`(${GAP})`, GAP)
    .replace(/[,;]? *\ue000(?= *[,.:;!?)।\n]| *$)/gm, "")
    .replace(/\ue000 */g, "")
    .trim();
}
