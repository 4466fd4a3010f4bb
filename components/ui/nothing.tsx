import { useTranslations } from "next-intl";

/** Shown instead of a missing value. */
export function Nothing() {
  const t = useTranslations("ui");
  return (
    <span className="text-faint">
      <span aria-hidden>–</span>
      <span className="sr-only">{t("none")}</span>
    </span>
  );
}
