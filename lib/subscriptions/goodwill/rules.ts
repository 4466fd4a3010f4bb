/** Why a billing date is moved in a buyer's favour; "other" is told in words. */
export const GOODWILL_REASONS = [
  "not_delivered",
  "away",
  "hardship",
  "festival",
  "payment_trouble",
  "paid_elsewhere",
  "goodwill",
  "other",
] as const;
export type GoodwillReason = (typeof GOODWILL_REASONS)[number];

/** What a goodwill extension that is taken back is written down with. */
export const TAKEN_BACK = "taken_back";
export const STORED_REASONS = [...GOODWILL_REASONS, TAKEN_BACK] as const;

export interface Goodwill {
  reason: (typeof STORED_REASONS)[number];
  /** The seller's own; empty for none. */
  words: string;
}

/** What becomes of what is owed when the date of a due one is moved: kept until it is paid or waived. */
export const OWED = ["kept", "forgiven"] as const;
export type Owed = (typeof OWED)[number];

/** Nobody leaves what is owed without a payment and without a reason. */
export interface Settlement extends Goodwill {
  owed: Owed;
}

/** As it is being filled in: nothing is taken for granted. */
export interface GoodwillDraft {
  reason: GoodwillReason | "";
  words: string;
}
export const EMPTY_GOODWILL: GoodwillDraft = { reason: "", words: "" };

/** What is missing of it. */
export function goodwillProblem({ reason, words }: GoodwillDraft): "reason" | "words" | null {
  if (reason === "") return "reason";
  return needsWords({ reason, words }) ? "words" : null;
}

/** As it is sent; null where none is, or something is missing. */
export const goodwillFromDraft = (draft: GoodwillDraft | null): Goodwill | null =>
  draft === null || draft.reason === "" ? null : { reason: draft.reason, words: draft.words };

const LONGEST_REASON = 200;

/** On one line, as it is kept. */
export const normalizeReasonText = (words: string) =>
  Array.from(words.replaceAll("\0", "").replace(/\s+/g, " ").trim().toWellFormed())
    .slice(0, LONGEST_REASON)
    .join("");

/** "other" alone says nothing. */
export const needsWords = ({ reason, words }: Goodwill) =>
  reason === "other" && normalizeReasonText(words) === "";
