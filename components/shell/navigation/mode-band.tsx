import { FlaskConical } from "lucide-react";
import { useTranslations } from "next-intl";
import { BandClock } from "./band-clock.tsx";
import type { Mode } from "#lib/scope.ts";

/** The strip above every page in test mode. */
export function ModeBand({ mode }: { mode: Mode }) {
  const t = useTranslations("layout.mode");
  if (mode === "live") return null;
  return (
    <section
      aria-label={t("label")}
      className="sticky top-0 z-20 flex h-(--band) items-center justify-center gap-1.5 bg-warning px-3 text-xs font-medium whitespace-nowrap text-canvas print:hidden low:static"
    >
      <FlaskConical aria-hidden className="size-3.5 shrink-0" />
      <span>{t("band")}</span>
      <span className="-ml-0.5 truncate">
        <span className="max-sm:hidden">{t("long")}</span>
        <span className="sm:hidden">{t("short")}</span>
      </span>
      <BandClock />
    </section>
  );
}
