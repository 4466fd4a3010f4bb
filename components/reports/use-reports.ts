import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useVisibleFailure } from "#components/list/query-state.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import type { Failure } from "#lib/failure.ts";
import { reportQuery, type ReportAnswer } from "#lib/reports/queries.ts";
import type { ReportName, ReportSearch } from "#lib/reports/search.ts";

/** Failed reads on the server, by report. */
export type ReportFailures = Record<ReportName, Failure | null>;

export type ReadyReport<Name extends ReportName> = Extract<
  ReportAnswer<Name>,
  { state: "ready" }
>;

/** The state of one card, which fails and recovers on its own. */
export interface ReportPart<Name extends ReportName> {
  name: Name;
  /** The loaded report; undefined while it loads and while the index cannot answer. */
  ready: ReadyReport<Name> | undefined;
  answer: ReportAnswer<Name> | undefined;
  failure: Failure | null;
  /** Whether the card still shows the previous period. */
  isBusy: boolean;
  /** The query; undefined before hydration. */
  query: UseQueryResult<ReportAnswer<Name>> | undefined;
}

export type ReportParts = { [Name in ReportName]: ReportPart<Name> };

/** All reports of a period, each with its own request. */
export function useReports(search: ReportSearch, failures: ReportFailures): ReportParts {
  return {
    revenue: usePart("revenue", search, failures),
    subscribers: usePart("subscribers", search, failures),
    movement: usePart("movement", search, failures),
    leaving: usePart("leaving", search, failures),
    checkouts: usePart("checkouts", search, failures),
    owed: usePart("owed", search, failures),
    expected: usePart("expected", search, failures),
    collected: usePart("collected", search, failures),
    products: usePart("products", search, failures),
    retention: usePart("retention", search, failures),
  };
}

function usePart<Name extends ReportName>(
  name: Name,
  search: ReportSearch,
  failures: ReportFailures,
): ReportPart<Name> {
  const query: UseQueryResult<ReportAnswer<Name>> = useQuery(
    reportQuery(useScope(), name, search),
  );
  const failure = useVisibleFailure(query, failures[name]);
  const part = reportPartOf(name, query.data);
  return { ...part, failure, isBusy: query.isPlaceholderData, query };
}

/** The state of a loaded or missing answer. */
export function reportPartOf<Name extends ReportName>(
  name: Name,
  answer: ReportAnswer<Name> | undefined,
): ReportPart<Name> {
  const ready = answer?.state === "ready" ? (answer as ReadyReport<Name>) : undefined;
  return { name, answer, ready, failure: null, isBusy: false, query: undefined };
}
