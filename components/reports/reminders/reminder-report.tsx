"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import { IndexFreshness, useDescribeIndexAbsence } from "#components/list/index-notice.tsx";
import { FilterTabs } from "#components/list/links.tsx";
import { QueryOutcome } from "#components/list/query-state.tsx";
import { BackLink } from "#components/list/links.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { useFormat, usePermission, useScope } from "#components/context/seller-context.tsx";
import { CloudOff } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { DownloadLink } from "#components/ui/download-link.tsx";
import { apiPath } from "#lib/scope.ts";
import type { Failure } from "#lib/failure.ts";
import {
  readResultDays,
  type ReminderResultsAnswer,
  reminderResultsPath,
  reminderResultsQuery,
  reminderResultsQueryString,
  RESULT_DAYS,
  type ResultDays,
} from "#lib/reports/reminders/queries.ts";
import { ResultGroups, ResultSums } from "./result-sums.tsx";
import { SentResults } from "./sent-results.tsx";

/** Results of reminders, as far as the search index knows payments. */
export function ReminderReport({ failure }: { failure: Failure | null }) {
  const days = readResultDays(useSearchParams());
  const query = useQuery(reminderResultsQuery(useScope(), days));
  return (
    <>
      <Head days={days} isReady={query.data?.state === "ready"} />
      <QueryOutcome {...{ query, failure }}>
        {query.data ? <Answer answer={query.data} /> : <Outline />}
      </QueryOutcome>
      <div className="mt-4">
        <SentResults days={days} />
      </div>
    </>
  );
}

function Head({ days, isReady }: { days: ResultDays; isReady: boolean }) {
  const t = useTranslations("reminding");
  const scope = useScope();
  const mayExport = usePermission("reports:read");
  return (
    <>
      {mayExport ? (
        <BackLink href="/reports">{t("backToReports")}</BackLink>
      ) : (
        <BackLink href="/collection">{t("back")}</BackLink>
      )}
      <PageHeader
        title={t("title")}
        action={
          mayExport &&
          isReady && (
            <DownloadLink
              href={apiPath(
                scope,
                `/reports/reminders/file${reminderResultsQueryString(days)}`,
              )}
            >
              {t("csv")}
            </DownloadLink>
          )
        }
      />
      <FilterTabs
        label={t("days.label")}
        tabs={RESULT_DAYS.map((one) => ({
          href: reminderResultsPath(scope, one),
          label: t("days.last", { count: one }),
          isCurrent: one === days,
        }))}
      />
    </>
  );
}

function Answer({ answer }: { answer: ReminderResultsAnswer }) {
  const t = useTranslations("reminding");
  const format = useFormat();
  const absence = useDescribeIndexAbsence();
  if (answer.state !== "ready")
    return (
      <Notice role="status" icon={CloudOff}>
        {absence(answer)} {t("withoutCopy")}
      </Notice>
    );
  const { results } = answer;
  return (
    <div className="grid gap-4">
      <p className="max-w-prose text-sm text-muted">
        <IndexFreshness found={answer} />{" "}
        {results.is_partial && t("partial", { moment: format.dateTime(results.known_since) })}{" "}
        {results.unknown > 0 && t("unknown", { count: results.unknown })}
      </p>
      <ResultSums results={results} />
      <ResultGroups results={results} />
    </div>
  );
}

const Outline = () => (
  <div aria-busy className="grid gap-4 lg:grid-cols-2">
    <span className="skeleton h-64" />
    <span className="skeleton h-64" />
  </div>
);

export function ReminderReportSkeleton() {
  const days = readResultDays(useSearchParams());
  return (
    <div inert>
      <Head days={days} isReady={false} />
      <Outline />
    </div>
  );
}
