import { useLocale, useTranslations } from "next-intl";
import { localizeDigits } from "#lib/format/format.ts";
import { toBikramSambat } from "#contract/process/bikram-sambat.ts";

/** @param day YYYY-MM-DD */
export function BikramSambat({ day }: { day: string }) {
  const t = useTranslations("format");
  const language = useLocale();
  const found = toBikramSambat(day);
  if (!found) return null;
  const { year, month, date } = found;
  const name = t(`bikramSambat.${month}`);
  return (
    <small>
      {localizeDigits(
        t("bikramSambat.date", { day: String(date), month: name, year: String(year) }),
        language,
      )}
    </small>
  );
}
