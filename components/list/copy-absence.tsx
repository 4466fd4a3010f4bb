import { CloudOff, LoaderCircle } from "lucide-react";
import { useTranslations } from "next-intl";
import { Notice } from "#components/ui/notice.tsx";
import type { CopyAbsence } from "#lib/subscriptions/search-queries.ts";

/** Why the copy cannot be asked. */
export function useAbsence() {
  const t = useTranslations("finding.absent");
  return (absence: CopyAbsence): string => {
    if (absence.state === "off") return t("off");
    const { read, total } = absence;
    return total === null ? t("filling", { read }) : t("fillingOf", { read, total });
  };
}

/** Why the list below is not what was asked for. */
export function CopyNotice({ absence }: { absence: CopyAbsence }) {
  const t = useTranslations("finding.absent");
  const icon = absence.state === "off" ? CloudOff : LoaderCircle;
  return (
    <Notice role="status" icon={icon} className="mb-4">
      {useAbsence()(absence)} {t("instead")}
    </Notice>
  );
}
