/** Why a billing date is moved in a buyer's favour; "other" is told in words. */
export const COURTESY_REASONS = [
  "not_delivered",
  "away",
  "hardship",
  "festival",
  "payment_trouble",
  "paid_elsewhere",
  "goodwill",
  "other",
] as const;
export type CourtesyReason = (typeof COURTESY_REASONS)[number];

/** What a courtesy that is taken back is written down with. */
export const TAKEN_BACK = "taken_back";
export const KEPT_REASONS = [...COURTESY_REASONS, TAKEN_BACK] as const;

export interface Courtesy {
  reason: (typeof KEPT_REASONS)[number];
  /** The seller's own; empty for none. */
  words: string;
}

/** What becomes of what is owed when the date of a due one is moved: kept until it is paid or waived. */
export const OWED = ["kept", "forgiven"] as const;
export type Owed = (typeof OWED)[number];

/** Nobody leaves what is owed without a payment and without a reason. */
export interface Settlement extends Courtesy {
  owed: Owed;
}

/** As it is being filled in: nothing is taken for granted. */
export interface CourtesyDraft {
  reason: CourtesyReason | "";
  words: string;
}
export const NO_COURTESY: CourtesyDraft = { reason: "", words: "" };

/** What is missing of it. */
export function courtesyProblem({ reason, words }: CourtesyDraft): "reason" | "words" | null {
  if (reason === "") return "reason";
  return needsWords({ reason, words }) ? "words" : null;
}

/** As it is sent; null where none is, or something is missing. */
export const readCourtesy = (draft: CourtesyDraft | null): Courtesy | null =>
  draft === null || draft.reason === "" ? null : { reason: draft.reason, words: draft.words };

const LONGEST_REASON = 200;

/** On one line, as it is kept. */
export const readCourtesyWords = (words: string) =>
  Array.from(words.replaceAll("\0", "").replace(/\s+/g, " ").trim().toWellFormed())
    .slice(0, LONGEST_REASON)
    .join("");

/** "other" alone says nothing. */
export const needsWords = ({ reason, words }: Courtesy) =>
  reason === "other" && readCourtesyWords(words) === "";
