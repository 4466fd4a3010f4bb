import { useTranslations } from "next-intl";

/** In the place of a value that is not there. */
export function Nothing() {
  const t = useTranslations("ui");
  return (
    <span className="text-faint">
      <span aria-hidden>–</span>
      <span className="sr-only">{t("none")}</span>
    </span>
  );
}
