import { CircleAlert, LoaderCircle } from "lucide-react";
import { useTranslations } from "next-intl";
import { Notice } from "#components/ui/notice.tsx";
import type { IndexAbsence } from "#lib/list-answer.ts";
import { Moment } from "#components/values/day.tsx";

export function useDescribeAbsence() {
  const t = useTranslations("finding.absent");
  return (absence: IndexAbsence): string => {
    const { state, read, total } = absence;
    if (state === "halted") return t("halted");
    return total === null ? t("filling", { read }) : t("fillingOf", { read, total });
  };
}

/** Says why the list ignores search and filters. */
export function IndexNotice({ absence }: { absence: IndexAbsence }) {
  const t = useTranslations("finding.absent");
  const icon = absence.state === "halted" ? CircleAlert : LoaderCircle;
  return (
    <Notice role="status" icon={icon} className="mb-4">
      {useDescribeAbsence()(absence)} {t("instead")}
    </Notice>
  );
}

const LONGEST_MINUTES = 90;

/** How old what was found is: it comes from the copy, and a record's page reads it anew. */
export function IndexFreshness({ found }: { found: { as_of: string; age_s: number } }) {
  const t = useTranslations("table");
  const minutes = Math.floor(found.age_s / 60);
  return minutes > LONGEST_MINUTES
    ? t.rich("asOf", { moment: () => <Moment iso={found.as_of} /> })
    : t("minutesAgo", { count: minutes });
}
