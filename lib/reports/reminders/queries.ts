import { queryOptions } from "@tanstack/react-query";
import { apiPath, type Scope, scopePath } from "#lib/scope.ts";
import type { IndexStatus } from "#lib/search-index/query/index-status.ts";
import { fetchJson } from "#lib/query/client.ts";
import { defineSearch, oneOfOr, type Parameters } from "#lib/search-params.ts";
import type { Grouped, Outcomes } from "./rules.ts";

export interface ReminderResults {
  days: ResultDays;
  /** Days in the seller's time zone, YYYY-MM-DD. */
  from: string;
  to: string;
  /** Changes are known only since a time after `from`; earlier reminders are in no number. */
  is_partial: boolean;
  /** ISO */
  known_since: string;
  reminded: Outcomes;
  /** Buyers who became due in the same time without a reminder. */
  unreminded: Outcomes;
  channels: Grouped[];
  counts: Grouped[];
  /** Null if the user may not see results by member. */
  people: Grouped[] | null;
  promises: { kept: number; broken: number; open: number };
  /** Reminders about subscriptions that are no longer indexed. */
  unknown: number;
}

/** Without an index no payments are known. */
export type ReminderResultsAnswer =
  | (Extract<IndexStatus, { state: "ready" }> & { results: ReminderResults })
  | Exclude<IndexStatus, { state: "ready" }>;

export const reminderResultsQuery = (scope: Scope, days: ResultDays) =>
  queryOptions({
    // Below the collection's key, so that every logged contact renews it.
    queryKey: [scope, "subscriptions", "collection", "reminders", days] as const,
    queryFn: ({ signal }) =>
      fetchJson<ReminderResultsAnswer>(
        apiPath(scope, `/reports/reminders${reminderResultsQueryString(days)}`),
        signal,
      ),
  });

/** Days of reminders to include, today among them. */
export const RESULT_DAYS = [7, 30, 90] as const;
export type ResultDays = (typeof RESULT_DAYS)[number];

const resultsSearch = defineSearch({ days: oneOfOr(RESULT_DAYS, 30) });

export const readResultDays = (parameters: Parameters): ResultDays =>
  resultsSearch.parse(parameters).days;

export const reminderResultsQueryString = (days: ResultDays) => resultsSearch.toQuery({ days });

export const reminderResultsPath = (scope: Scope, days: ResultDays) =>
  scopePath(scope, `/reports/reminders${reminderResultsQueryString(days)}`);
