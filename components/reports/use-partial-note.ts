import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import type { ReportHead } from "#lib/reports/queries.ts";

/** A note that the period is only partly known, with its start; false if it is complete. */
export function usePartialNote(key: "partial" | "gap" = "partial") {
  const t = useTranslations("reports");
  const format = useFormat();
  return ({ is_partial, known_since }: ReportHead): string | false =>
    is_partial && t(key, { moment: format.dateTime(known_since) });
}
