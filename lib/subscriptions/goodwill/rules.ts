import type { GoodwillReason, STORED_REASONS } from "#lib/money/goodwill-reasons.ts";

export interface Goodwill {
  reason: (typeof STORED_REASONS)[number];
  /** The reason as free text; empty for none. */
  words: string;
}

/**
 * What happens to the amount owed when a due subscription is moved; `kept` until it is paid or
 * waived.
 */
export const OWED_TREATMENTS = ["kept", "forgiven"] as const;
export type OwedTreatment = (typeof OWED_TREATMENTS)[number];

export interface Settlement extends Goodwill {
  owed: OwedTreatment;
}

/** The state of the form, which may be incomplete. */
export interface GoodwillDraft {
  reason: GoodwillReason | "";
  words: string;
}
export const EMPTY_GOODWILL: GoodwillDraft = { reason: "", words: "" };

export function goodwillProblem({ reason, words }: GoodwillDraft): "reason" | "words" | null {
  if (reason === "") return "reason";
  return needsReasonText({ reason, words }) ? "words" : null;
}

/** The goodwill extension of a complete form; null without a form or a reason. */
export const goodwillFromDraft = (draft: GoodwillDraft | null): Goodwill | null =>
  draft === null || draft.reason === "" ? null : { reason: draft.reason, words: draft.words };

const LONGEST_REASON = 200;

/** The reason's text as it is stored: one line, shortened. */
export const normalizeReasonText = (words: string) =>
  Array.from(words.replaceAll("\0", "").replace(/\s+/g, " ").trim().toWellFormed())
    .slice(0, LONGEST_REASON)
    .join("");

export const needsReasonText = ({ reason, words }: Goodwill) =>
  reason === "other" && normalizeReasonText(words) === "";
