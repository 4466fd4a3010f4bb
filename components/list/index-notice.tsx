import { CircleAlert, LoaderCircle } from "lucide-react";
import { useTranslations } from "next-intl";
import { Notice } from "#components/ui/notice.tsx";
import type { IndexAbsence } from "#lib/list-answer.ts";

/** Why the copy cannot be asked. */
export function useDescribeAbsence() {
  const t = useTranslations("finding.absent");
  return (absence: IndexAbsence): string => {
    const { state, read, total } = absence;
    if (state === "halted") return t("halted");
    return total === null ? t("filling", { read }) : t("fillingOf", { read, total });
  };
}

/** Why the list below is not what was asked for. */
export function IndexNotice({ absence }: { absence: IndexAbsence }) {
  const t = useTranslations("finding.absent");
  const icon = absence.state === "halted" ? CircleAlert : LoaderCircle;
  return (
    <Notice role="status" icon={icon} className="mb-4">
      {useDescribeAbsence()(absence)} {t("instead")}
    </Notice>
  );
}
