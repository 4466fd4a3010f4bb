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
export const UNDONE_REASON = "taken_back";
export const STORED_REASONS = [...GOODWILL_REASONS, UNDONE_REASON] as const;

/** The text of a stored reason; an unknown one is shown by its code name. */
export function describeGoodwillReason(t: Translate<"audit">, reason: string): string {
  const known = STORED_REASONS.find((one) => one === reason);
  return known ? t(`goodwillReasons.${known}`) : reason.replaceAll("_", " ");
}
