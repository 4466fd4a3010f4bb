import type { Translate } from "#lib/i18n/message.ts";

/** The reasons to leave with which every seller starts. */
const STANDARD_REASONS = [
  "too_expensive",
  "not_used",
  "not_satisfied",
  "other_provider",
  "moved_away",
  "closing",
] as const;

/** A buyer's reason to leave; null and empty if none was given. */
export interface Leaving {
  /** The name of a reason in the seller's list. */
  reason: string | null;
  words: string;
}
export const NOTHING_SAID: Leaving = { reason: null, words: "" };

/** The most characters of a buyer's words that are kept. */
export const LONGEST_LEAVE_WORDS = 200;

/** A buyer's own words, as the initial reason in a member's form. */
export const wordsOfBuyer = (words: string): Leaving => ({
  reason: null,
  words: Array.from(words.replace(/\s+/g, " ").trim()).slice(0, LONGEST_LEAVE_WORDS).join(""),
});

export const isUnsaid = ({ reason, words }: Leaving) => reason === null && words.trim() === "";

export const MOST_LEAVE_REASONS = 20;
export const LONGEST_LEAVE_REASON = 60;

/** The text of a reason; a seller's own reason is stored as its text. */
export function describeLeaveReason(t: Translate<"leaving">, reason: string): string {
  const known = STANDARD_REASONS.find((one) => one === reason);
  return known ? t(`reasons.${known}`) : reason;
}

export const nameLeaveReason = (t: Translate<"leaving">, reason: string | null): string =>
  reason === null ? t("notSaid") : describeLeaveReason(t, reason);

/** Reads a list with one reason per line; standard reasons are recognised by their text. */
export function readLeaveReasons(t: Translate<"leaving">, text: string): string[] {
  const lines = text.split("\n").map((line) => line.replace(/\s+/g, " ").trim());
  const named = lines
    .filter((line) => line !== "")
    .map((line) => STANDARD_REASONS.find((one) => t(`reasons.${one}`) === line) ?? line);
  return [...new Set(named)];
}
