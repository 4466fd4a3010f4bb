import { useTranslations } from "next-intl";
import { Moment } from "#components/values/moment.tsx";

const LONGEST_MINUTES = 90;

/** How old what was found is: it comes from the copy, and a record's page reads it anew. */
export function IndexFreshness({ found }: { found: { as_of: string; age_s: number } }) {
  const t = useTranslations("table");
  const minutes = Math.floor(found.age_s / 60);
  return minutes > LONGEST_MINUTES
    ? t.rich("asOf", { moment: () => <Moment iso={found.as_of} /> })
    : t("minutesAgo", { count: minutes });
}
