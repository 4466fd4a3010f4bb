/** The letters that an SMS carries in seven bits each (3GPP TS 23.038). */
const BASIC =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/** Those that take two places. */
const EXTENDED = "^{}\\[~]|€\f";

/** How many places one message has, and each part of several. */
const ROOM = {
  "GSM-7": { one: 160, part: 153 },
  "UCS-2": { one: 70, part: 67 },
} as const;

export interface SmsLength {
  encoding: keyof typeof ROOM;
  /** As people count: what is read as one letter may be several. */
  characters: number;
  /** Places that are taken, a part's last ones left empty where a letter does not fit any more. */
  places: number;
  /** How many messages are paid for. */
  parts: number;
  /** Places that are left in the last of them. */
  left: number;
}

/** How many messages a phone makes of a text: 160 letters where all are in GSM-7, else 70. */
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
  // No letter of two places is cut in two.
  let parts = 1;
  let filled = 0;
  for (const size of sizes) {
    if (filled + size > part) [parts, filled] = [parts + 1, 0];
    filled += size;
  }
  return { encoding, characters, places, parts, left: part - filled };
}
