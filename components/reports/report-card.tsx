import { useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import { type ReactNode, useId } from "react";
import { StaleNotice } from "#components/list/query-state.tsx";
import { FailureLine } from "#components/forms/failure-panel.tsx";
import { useFormat, useScope, useSeller } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { CircleAlert, Download, List } from "#components/ui/icons.tsx";
import { apiPath } from "#lib/scope.ts";
import type { ListParameters } from "#lib/reports/queries.ts";
import { parseReportSearch, type ReportName, reportQueryString } from "#lib/reports/search.ts";
import { dayInZone } from "#lib/format/format.ts";
import {
  describeCollected,
  describeExpected,
  describeOwed,
  describeRevenue,
} from "./money-cards.tsx";
import { type CardTools, ListLink } from "./report-parts.tsx";
import { FoldedTable, ScrolledTable, type Table } from "./report-table.tsx";
import {
  describeCheckouts,
  describeLeaving,
  describeMovement,
  describeProducts,
  describeRetention,
  describeSubscribers,
} from "./subscription-cards.tsx";
import type { ReadyReport, ReportPart } from "./use-reports.ts";

export interface ReportSummary {
  body?: ReactNode;
  /** The chart; if there is one, the table is in a closed disclosure. */
  chart?: ReactNode;
  table: Table;
  /** The text shown in place of an empty table. */
  none?: string;
  /** The list of all counted subscriptions. */
  rows?: ListParameters | null;
  /** Notes on what the numbers leave out. */
  notes?: (string | false)[];
}

interface CardOf<Name extends ReportName> {
  describe: (ready: ReadyReport<Name>, tools: CardTools) => ReportSummary;
  isWide?: boolean;
}

const REPORT_CARDS: { [Name in ReportName]: CardOf<Name> } = {
  revenue: { describe: describeRevenue },
  subscribers: { describe: describeSubscribers },
  owed: { describe: describeOwed },
  expected: { describe: describeExpected },
  collected: { describe: describeCollected },
  checkouts: { describe: describeCheckouts },
  movement: { describe: describeMovement, isWide: true },
  leaving: { describe: describeLeaving, isWide: true },
  products: { describe: describeProducts, isWide: true },
  retention: { describe: describeRetention, isWide: true },
};

interface ReportCardProps<Name extends ReportName> {
  part: ReportPart<Name>;
  currency: string;
}

/** One report with its numbers, table and list, and its own loading and error states. */
export function ReportCard<Name extends ReportName>({ part, currency }: ReportCardProps<Name>) {
  const t = useTranslations("reports");
  const id = useId();
  const { ready, failure, isBusy, query } = part;
  const name: ReportName = part.name;
  return (
    <Card
      aria-labelledby={id}
      aria-busy={isBusy || (!ready && !failure)}
      className="report"
      data-wide={REPORT_CARDS[name].isWide}
    >
      <div className="report-head">
        <CardTitle id={id}>{t(`cards.${name}.title`)}</CardTitle>
        <p>{t(`counts.${name}`)}</p>
      </div>
      {query && !failure && (
        <div className="px-4 empty:hidden">
          <StaleNotice query={query} />
        </div>
      )}
      {failure && query ? (
        <div className="report-body pt-2">
          <FailureLine failure={failure} query={query} />
        </div>
      ) : ready ? (
        <Answer name={part.name} {...{ ready, currency, isBusy }} />
      ) : (
        <div className="report-body pb-16">
          <span className="skeleton h-8 w-40" />
          <span className="skeleton mt-4 h-48 w-full" />
        </div>
      )}
    </Card>
  );
}

interface AnswerProps<Name extends ReportName> {
  name: Name;
  ready: ReadyReport<Name>;
  currency: string;
  isBusy: boolean;
}

function Answer<Name extends ReportName>(props: AnswerProps<Name>) {
  const { ready, currency, isBusy } = props;
  const name: ReportName = props.name;
  const t = useTranslations("reports");
  const format = useFormat();
  const { now, time_zone } = useSeller();
  const today = dayInZone(now, time_zone);
  const tools = { t, format, currency, today };
  const summary = REPORT_CARDS[props.name].describe(ready, tools);
  const { body, chart, table, none, rows, notes = [] } = summary;
  const shown = notes.filter((note) => note !== false);
  const label = t(`cards.${name}.title`);
  return (
    <>
      <div className="report-body" data-busy={isBusy || undefined}>
        {body}
        {chart ?? <ScrolledTable {...{ label, table, none }} />}
        {shown.length > 0 && (
          <ul className="report-notes">
            {shown.map((note) => (
              <li key={note}>
                <CircleAlert aria-hidden />
                {note}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="report-foot">
        <div>
          <Disclosure title={t("how")}>
            <p>{t(`cards.${name}.how`)}</p>
          </Disclosure>
          <Ways {...{ name, rows }} />
        </div>
        {chart && <FoldedTable title={t("table")} {...{ label, table }} />}
      </div>
    </>
  );
}

function Ways({ name, rows }: { name: ReportName; rows: ListParameters | null | undefined }) {
  const t = useTranslations("reports");
  const title = t(`cards.${name}.title`);
  const scope = useScope();
  const { currency: _shown, ...search } = parseReportSearch(useSearchParams());
  const of = (chunks: ReactNode) => <span className="sr-only">{chunks}</span>;
  return (
    <div>
      {rows && (
        <ListLink rows={rows} className={buttonClass("quiet")}>
          <List aria-hidden />
          <span>{t.rich("list", { title, of })}</span>
        </ListLink>
      )}
      <a
        href={apiPath(scope, `/reports/${name}/file${reportQueryString(search)}`)}
        download
        className={buttonClass("quiet")}
      >
        <Download aria-hidden />
        <span>{t.rich("export", { title, of })}</span>
      </a>
    </div>
  );
}
