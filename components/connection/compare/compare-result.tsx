import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button.tsx";
import { Moment } from "#components/values/moment.tsx";
import { useFormat } from "#components/values/use-format.ts";
import { differs } from "#lib/search-index/compare/differences.ts";
import type { Comparison } from "#lib/search-index/compare/queries.ts";
import { CountTable } from "./count-table.tsx";
import { RecordDifferences } from "./record-differences.tsx";

interface CompareResultProps {
  comparison: Comparison;
  /** Null where nothing can be rebuilt. */
  rebuild: { run: () => void; isPending: boolean } | null;
}

/** The counts at both sides and the records that differ; of an unfinished comparison, so far. */
export function CompareResult({ comparison, rebuild }: CompareResultProps) {
  const t = useTranslations("compare.result");
  const format = useFormat();
  const { report, reach, compared, started_by, started_at, ended_at, differences } = comparison;
  const { counts = [], one_time = 0, as_of } = report;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="text-sm text-muted">
        {t.rich(ended_at ? "ended" : "unfinished", {
          at: () => <Moment iso={ended_at ?? started_at} />,
          compared: format.count(compared),
          count: compared,
          reach,
        })}
        {started_by !== null && ` ${t("by", { name: started_by })}`}
        {as_of && <> {t.rich("asOf", { at: () => <Moment iso={as_of} /> })}</>}
      </p>
      <CountTable counts={counts} oneTime={one_time} />
      <RecordDifferences comparison={comparison} />
      {rebuild && (differences.count > 0 || counts.some(differs)) && (
        <div>
          <p className="mb-2 text-sm text-muted">{t("rebuildText")}</p>
          <Button look="primary" isPending={rebuild.isPending} onClick={rebuild.run}>
            {t("rebuild")}
          </Button>
        </div>
      )}
    </div>
  );
}
