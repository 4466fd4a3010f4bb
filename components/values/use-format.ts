import { useLocale, useTranslations } from "next-intl";
import { useMemo } from "react";
import { makeFormat, type Format } from "#lib/format/format.ts";
import { useSeller } from "#components/context/seller-context.tsx";

/**
 * Formats dates, amounts and counts in the user's language and the seller's time zone and style.
 * @param at ISO; relative days count from it instead of from now
 */
export function useFormat(at?: string): Format {
  const t = useTranslations("format");
  const language = useLocale();
  const { time_zone, now: today, currency, amount_style } = useSeller();
  const now = at ?? today;
  return useMemo(
    () => makeFormat(t, { language, time_zone, now, currency, amount_style }),
    [t, language, time_zone, now, currency, amount_style],
  );
}
