"use client";

import { useTranslations } from "next-intl";
import { useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import {
  ScopedLink,
  usePermission,
  useScope,
  useSeller,
} from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { ProgressBar } from "#components/ui/charts/progress-bar.tsx";
import { ChartNoAxesCombined, CircleAlert, LoaderCircle } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import { reportQuery, type ReportAnswer } from "#lib/reports/queries.ts";
import {
  REPORTS,
  parseReportSearch,
  type ReportName,
  type ReportSearch,
} from "#lib/reports/search.ts";
import { ReportCard } from "./report-card.tsx";
import { ReportsHead } from "./reports-head.tsx";
import {
  reportPartOf,
  useReports,
  type ReportFailures,
  type ReportParts,
} from "./use-reports.ts";

/**
 * All reports, each with its own state.
 * @param failures failed reads on the server
 */
export function Reports({ failures }: { failures: ReportFailures }) {
  const search = parseReportSearch(useSearchParams());
  const parts = useReports(search, failures);
  const all = REPORTS.map((name) => parts[name]);
  const failure = all[0]?.failure;
  // One message for all reports if none can be read.
  if (failure && all.every((part) => part.failure))
    return (
      <>
        <ReportsHead {...{ search }} ready={undefined} currencies={[]} currency="" />
        <FailurePanel
          failure={failure}
          query={{
            isFetching: all.some(({ query }) => query?.isFetching),
            refetch: () => all.forEach(({ query }) => void query?.refetch()),
          }}
        />
      </>
    );
  return <ReportCards {...{ search, parts }} />;
}

/** The page before hydration: cached reports or placeholders. */
export function ReportsSkeleton() {
  const search = parseReportSearch(useSearchParams());
  const scope = useScope();
  const client = useQueryClient();
  const parts = Object.fromEntries(
    REPORTS.map((name) => {
      const answer = client.getQueryData(reportQuery(scope, name, search).queryKey);
      return [name, reportPartOf(name, answer)];
    }),
  ) as ReportParts;
  return <ReportCards {...{ search, parts }} isPlaceholder />;
}

interface ReportCardsProps {
  search: ReportSearch;
  parts: ReportParts;
  /** Whether the page replaces this render, so nothing in it may open. */
  isPlaceholder?: boolean;
}

function ReportCards({ search, parts, isPlaceholder = false }: ReportCardsProps) {
  const { currency: usual } = useSeller();
  const all = REPORTS.map((name) => parts[name]);
  const absence = all.find(({ answer }) => answer && answer.state !== "ready")?.answer;
  const ready = all.find((part) => part.ready)?.ready;
  const currencies = currenciesOf(parts);
  const wanted = search.currency ?? usual;
  const currency = currencies.includes(wanted) ? wanted : (currencies[0] ?? usual);
  return (
    <>
      <ReportsHead {...{ search, ready, currencies, currency, isPlaceholder }} />
      {absence && absence.state !== "ready" ? (
        <Absence absence={absence} />
      ) : isEmpty(parts) ? (
        <Nothing search={search} />
      ) : (
        <div inert={isPlaceholder} className="grid gap-4 lg:grid-cols-2">
          {REPORTS.map((name) => (
            <ReportCard key={name} part={parts[name]} currency={currency} />
          ))}
        </div>
      )}
    </>
  );
}

/** Currencies with an amount in any report, sorted. */
function currenciesOf({ revenue, owed, collected, expected }: ReportParts): string[] {
  const named = [
    ...(revenue.ready?.figure.currencies ?? []),
    ...(owed.ready?.figure.currencies ?? []),
    ...(collected.ready?.figure.currencies ?? []),
    ...(expected.ready?.figure.horizons ?? []).flatMap((horizon) => horizon.currencies),
  ];
  return [...new Set(named.map(({ currency }) => currency))].sort();
}

/** Whether there are no subscriptions, now or in the period. */
function isEmpty({
  subscribers,
  checkouts,
  collected,
  movement,
  retention,
}: ReportParts): boolean {
  if (!subscribers.ready || !checkouts.ready || !collected.ready) return false;
  if (!movement.ready || !retention.ready) return false;
  const { active, due, ending } = subscribers.ready.figure;
  const counts = [
    active.count + due.count + ending.count,
    checkouts.ready.figure.created.count,
    collected.ready.figure.subscriptions.count,
    movement.ready.figure.created.count,
    retention.ready.figure.months.length,
  ];
  return counts.every((count) => count === 0);
}

function Absence({
  absence,
}: {
  absence: Exclude<ReportAnswer<ReportName>, { state: "ready" }>;
}) {
  const t = useTranslations("reports.absent");
  const maySet = usePermission("connection:read");
  if (absence.state === "halted")
    return (
      <StatePanel
        icon={CircleAlert}
        title={t("haltedTitle")}
        text={t("halted")}
        action={
          maySet && (
            <ScopedLink href="/settings/connection" className={buttonClass("primary")}>
              {t("settings")}
            </ScopedLink>
          )
        }
      />
    );
  const { read, total } = absence;
  return (
    <StatePanel
      role="status"
      icon={LoaderCircle}
      title={t("fillingTitle")}
      text={
        <>
          <p className="tabular-nums">
            {total === null ? t("filling", { read }) : t("fillingOf", { read, total })}
          </p>
          {total !== null && total > 0 && (
            <div className="mt-3">
              <ProgressBar
                label={t("fillingTitle")}
                text={t("fillingOf", { read, total })}
                done={read}
                total={total}
              />
            </div>
          )}
        </>
      }
    />
  );
}

function Nothing({ search: { product, plan } }: { search: ReportSearch }) {
  const t = useTranslations("reports.empty");
  const mayCreate = usePermission("subscriptions:create");
  const isNarrowed = product !== null || plan !== null;
  return (
    <StatePanel
      icon={ChartNoAxesCombined}
      title={t("title")}
      text={t(isNarrowed ? "narrowed" : "text")}
      action={
        !isNarrowed &&
        mayCreate && (
          <ScopedLink href="/subscriptions/new" className={buttonClass("primary")}>
            {t("create")}
          </ScopedLink>
        )
      }
    />
  );
}
