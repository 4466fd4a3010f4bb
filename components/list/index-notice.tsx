import { CloudOff, LoaderCircle } from "lucide-react";
import { useTranslations } from "next-intl";
import { Notice } from "#components/ui/notice.tsx";
import type { IndexAbsence } from "#lib/list-answer.ts";

/** Why the copy cannot be asked. */
export function useDescribeAbsence() {
  const t = useTranslations("finding.absent");
  return (absence: IndexAbsence): string => {
    if (absence.state === "off") return t("off");
    const { read, total } = absence;
    return total === null ? t("filling", { read }) : t("fillingOf", { read, total });
  };
}

/** Why the list below is not what was asked for. */
export function IndexNotice({ absence }: { absence: IndexAbsence }) {
  const t = useTranslations("finding.absent");
  const icon = absence.state === "off" ? CloudOff : LoaderCircle;
  return (
    <Notice role="status" icon={icon} className="mb-4">
      {useDescribeAbsence()(absence)} {t("instead")}
    </Notice>
  );
}
