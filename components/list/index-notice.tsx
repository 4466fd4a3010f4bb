import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CircleAlert, LoaderCircle, SearchX } from "#components/ui/icons.tsx";
import { Notice, StatePanel } from "#components/ui/notice.tsx";
import type { IndexAbsence, ListAnswer } from "#lib/list-answer.ts";
import { Moment } from "#components/values/day.tsx";

export function useDescribeIndexAbsence() {
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
      {useDescribeIndexAbsence()(absence)} {t("instead")}
    </Notice>
  );
}

const LONGEST_MINUTES = 90;

/** Says how old the index's rows are. */
export function IndexFreshness({ found }: { found: { as_of: string; age_s: number } }) {
  const t = useTranslations("table");
  const minutes = Math.floor(found.age_s / 60);
  return minutes > LONGEST_MINUTES
    ? t.rich("asOf", { moment: () => <Moment iso={found.as_of} /> })
    : t("minutesAgo", { count: minutes });
}

/** The namespaces that have these texts; a page sends only those that it needs. */
type Found = `${"customers" | "products" | "finding"}.found`;

interface MatchCountProps {
  namespace: Found;
  list: ListAnswer<unknown> | undefined;
}

/**
 * The number of matching rows and the age of the index. Has its full height before the count is
 * known.
 */
export function MatchCount({ namespace, list }: MatchCountProps) {
  const t = useTranslations(namespace);
  return (
    <p role="status" className="mb-2 min-h-5 text-sm text-muted tabular-nums">
      {list?.source.kind === "index" && (
        <>
          {list.is_near
            ? t("near")
            : t(list.is_capped ? "more" : "count", { count: list.count ?? 0 })}{" "}
          <IndexFreshness found={list.source} />
        </>
      )}
    </p>
  );
}

interface NoMatchProps {
  namespace: Found;
  list: ListAnswer<unknown>;
  /** The button that shows the whole list again. */
  action: ReactNode;
}

/** A search without results. */
export function NoMatch({ namespace, list, action }: NoMatchProps) {
  const t = useTranslations(namespace);
  return (
    <StatePanel
      role="status"
      icon={SearchX}
      title={t("noneTitle")}
      text={
        <>
          {t("noneText")} <IndexFreshness found={list.source} />
        </>
      }
      action={action}
    />
  );
}
