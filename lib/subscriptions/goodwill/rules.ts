import type { Translate } from "#lib/i18n/message.ts";

/** Why a billing date is moved for free; "other" needs a text. */
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

/** The reason stored when a goodwill extension is undone. */
export const TAKEN_BACK = "taken_back";
export const STORED_REASONS = [...GOODWILL_REASONS, TAKEN_BACK] as const;

/** The text of a stored reason; an unknown one is shown by its code name. */
export function describeGoodwillReason(t: Translate<"audit">, reason: string): string {
  const known = STORED_REASONS.find((one) => one === reason);
  return known ? t(`goodwillReasons.${known}`) : reason.replaceAll("_", " ");
}

export interface Goodwill {
  reason: (typeof STORED_REASONS)[number];
  /** Free text; empty for none. */
  words: string;
}

/** What happens to the amount owed when a due subscription is moved; `kept` until it is paid or waived. */
export const OWED = ["kept", "forgiven"] as const;
export type Owed = (typeof OWED)[number];

export interface Settlement extends Goodwill {
  owed: Owed;
}

/** The form's state: may be incomplete. */
export interface GoodwillDraft {
  reason: GoodwillReason | "";
  words: string;
}
export const EMPTY_GOODWILL: GoodwillDraft = { reason: "", words: "" };

/** The missing field; null if complete. */
export function goodwillProblem({ reason, words }: GoodwillDraft): "reason" | "words" | null {
  if (reason === "") return "reason";
  return needsWords({ reason, words }) ? "words" : null;
}

/** Null without a draft or without a reason. */
export const goodwillFromDraft = (draft: GoodwillDraft | null): Goodwill | null =>
  draft === null || draft.reason === "" ? null : { reason: draft.reason, words: draft.words };

const LONGEST_REASON = 200;

/** One line, shortened, as it is stored. */
export const normalizeReasonText = (words: string) =>
  Array.from(words.replaceAll("\0", "").replace(/\s+/g, " ").trim().toWellFormed())
    .slice(0, LONGEST_REASON)
    .join("");

export const needsWords = ({ reason, words }: Goodwill) =>
  reason === "other" && normalizeReasonText(words) === "";
