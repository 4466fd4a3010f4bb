import type { Translate } from "#lib/i18n/message.ts";

/** The reason of a goodwill extension; an unknown reason is shown by its code name. */
export function describeGoodwillReason(t: Translate<"audit">, reason: string): string {
  const known = GOODWILL_REASONS.find((one) => one === reason);
  return known ? t(`goodwillReasons.${known}`) : reason.replaceAll("_", " ");
}

const GOODWILL_REASONS = [
  "not_delivered",
  "away",
  "hardship",
  "festival",
  "payment_trouble",
  "paid_elsewhere",
  "goodwill",
  "other",
  "taken_back",
] as const;
