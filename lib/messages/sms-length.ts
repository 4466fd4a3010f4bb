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

export interface SmsLength {
  encoding: keyof typeof ROOM;
  /** Characters as a reader counts them. */
  characters: number;
  /** Used places, including those left empty at the end of a part. */
  places: number;
  /** Messages to pay for. */
  parts: number;
  /** Free places in the last message. */
  left: number;
}

/** Messages for a text: 160 places in GSM-7, else 70. */
export function smsLength(text: string): SmsLength {
  const letters = Array.from(text);
  const isGsm = letters.every((letter) => BASIC.includes(letter) || EXTENDED.includes(letter));
  const encoding = isGsm ? "GSM-7" : "UCS-2";
  const sizes = letters.map((letter) =>
    isGsm ? (EXTENDED.includes(letter) ? 2 : 1) : letter.length,
  );
  const places = sizes.reduce((sum, size) => sum + size, 0);
  const { one, part } = ROOM[encoding];
  const characters = letters.length;
  if (places <= one)
    return { encoding, characters, places, parts: places === 0 ? 0 : 1, left: one - places };
  // A two-place character is not split.
  let parts = 1;
  let filled = 0;
  for (const size of sizes) {
    if (filled + size > part) [parts, filled] = [parts + 1, 0];
    filled += size;
  }
  return { encoding, characters, places, parts, left: part - filled };
}
