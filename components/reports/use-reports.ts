import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useVisibleFailure } from "#components/list/use-visible-failure.ts";
import { useScope } from "#components/context/seller-context.tsx";
import type { Failure } from "#lib/failure.ts";
import { reportQuery, type ReportAnswer } from "#lib/reports/queries.ts";
import type { ReportName, ReportSearch } from "#lib/reports/search.ts";

/** Why the server could not read a figure. */
export type Failures = Record<ReportName, Failure | null>;

export type ReadyReport<Name extends ReportName> = Extract<
  ReportAnswer<Name>,
  { state: "ready" }
>;

/** What one card shows: it fails and recovers apart from the others. */
export interface Part<Name extends ReportName> {
  name: Name;
  /** Undefined while it is on its way, and while the copy cannot be asked. */
  ready: ReadyReport<Name> | undefined;
  answer: ReportAnswer<Name> | undefined;
  /** In place of data. */
  failure: Failure | null;
  /** What is shown is still the period before. */
  isBusy: boolean;
  /** Undefined while the page itself is on its way. */
  query: UseQueryResult<ReportAnswer<Name>> | undefined;
}

export type Parts = { [Name in ReportName]: Part<Name> };

/** All figures of a period, each asked for by itself. */
export function useReports(search: ReportSearch, failures: Failures): Parts {
  return {
    revenue: usePart("revenue", search, failures),
    subscribers: usePart("subscribers", search, failures),
    movement: usePart("movement", search, failures),
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
  failures: Failures,
): Part<Name> {
  const query: UseQueryResult<ReportAnswer<Name>> = useQuery(
    reportQuery(useScope(), name, search),
  );
  const failure = useVisibleFailure(query, failures[name]);
  const part = partOf(name, query.data);
  return { ...part, failure, isBusy: query.isPlaceholderData, query };
}

/** Of an answer that is there, or of none yet. */
export function partOf<Name extends ReportName>(
  name: Name,
  answer: ReportAnswer<Name> | undefined,
): Part<Name> {
  const ready = answer?.state === "ready" ? (answer as ReadyReport<Name>) : undefined;
  return { name, answer, ready, failure: null, isBusy: false, query: undefined };
}
