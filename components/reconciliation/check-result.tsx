import { useTranslations } from "next-intl";
import { Moment } from "#components/values/moment.tsx";
import { useFormat } from "#components/values/use-format.ts";
import type { Check } from "#lib/search-index/compare/queries.ts";
import { EventFindings } from "./event-findings.tsx";
import { MeaningFindings } from "./meaning-findings.tsx";
import { Numbers } from "#components/connection/compare/count-table.tsx";
import { RecordDifferences } from "#components/connection/compare/record-differences.tsx";
import type { Drive } from "#components/connection/compare/use-compare.ts";

export interface ResultProps {
  check: Check;
  drive: Drive;
  mayRepair: boolean;
}

/** What came out, part by part; of one that is under way, so far. */
export function CheckResult({ check, drive, mayRepair }: ResultProps) {
  const t = useTranslations("reconciliation.result");
  const format = useFormat();
  const { report, reach, compared, started_by } = check;
  return (
    <>
      <p className="text-sm text-muted">
        {t.rich(check.ended_at ? "ended" : "soFar", {
          at: () => <Moment iso={check.ended_at ?? check.started_at} />,
          compared: format.count(compared),
          count: compared,
          reach,
        })}
        {started_by !== null && ` ${t("by", { name: started_by })}`}
        {report.as_of && (
          <> {t.rich("asOf", { at: () => <Moment iso={report.as_of ?? ""} /> })}</>
        )}
      </p>
      <Numbers counts={report.counts ?? []} oneTime={report.one_time ?? 0} />
      <RecordDifferences check={check} drive={drive} mayRepair={mayRepair} />
      {report.events && <EventFindings events={report.events} />}
      {report.doubles && report.prices && report.strays && (
        <MeaningFindings
          doubles={report.doubles}
          prices={report.prices}
          strays={report.strays}
        />
      )}
    </>
  );
}
