import { CloudOff, LoaderCircle } from "lucide-react";
import { useTranslations } from "next-intl";
import { Moment } from "#components/layout/moment.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { CopyAbsence } from "#lib/search/queries.ts";

const LONGEST_MINUTES = 90;

/** How old what was found is: it comes from the copy, and a record's page reads it anew. */
export function CopyAge({ found }: { found: { as_of: string; age_s: number } }) {
  const t = useTranslations("finding");
  const minutes = Math.floor(found.age_s / 60);
  return minutes > LONGEST_MINUTES
    ? t.rich("asOf", { moment: () => <Moment iso={found.as_of} /> })
    : t("minutesAgo", { count: minutes });
}

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
