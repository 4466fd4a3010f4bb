import { queryOptions } from "@tanstack/react-query";
import type { ScheduleResults } from "#contract/reminders.ts";
import { type Scope, scopePath } from "#lib/scope.ts";
import type { IndexStatus } from "#lib/search-index/query/index-status.ts";
import { readRoute } from "#lib/query/fetch-json.ts";
import { defineSearch, oneOfWithDefault, type UrlParameters } from "#lib/search-params.ts";
import type { OutcomeGroup, ReminderOutcomes } from "./rules.ts";

export interface ReminderResults {
  days: ResultDays;
  /** First and last day in the seller's time zone, YYYY-MM-DD. */
  from: string;
  to: string;
  /**
   * Whether changes are known only since a time after `from`; earlier reminders are not counted.
   */
  is_partial: boolean;
  /** The ISO time since which changes are known. */
  known_since: string;
  reminded: ReminderOutcomes;
  /** The outcomes of buyers who became due in the same days and got no reminder. */
  unreminded: ReminderOutcomes;
  channels: OutcomeGroup[];
  counts: OutcomeGroup[];
  /** Results by member; null if the user may not see them. */
  people: OutcomeGroup[] | null;
  promises: { kept: number; broken: number; open: number };
  /** The number of reminders about subscriptions that are no longer indexed. */
  unknown: number;
}

/** The results, or the state of the index: without it no payments are known. */
export type ReminderResultsAnswer =
  | (Extract<IndexStatus, { state: "ready" }> & { results: ReminderResults })
  | Exclude<IndexStatus, { state: "ready" }>;

export const reminderResultsQuery = (scope: Scope, days: ResultDays) =>
  queryOptions({
    // The key begins with collection's key, so that every logged contact invalidates it.
    queryKey: [scope, "subscriptions", "collection", "reminders", days] as const,
    queryFn: readRoute<ReminderResultsAnswer>(
      scope,
      `/reports/reminders${reminderResultsQueryString(days)}`,
    ),
  });

/** Days of reminders to include, today among them. */
export const RESULT_DAYS = [7, 30, 90] as const;
export type ResultDays = (typeof RESULT_DAYS)[number];

const resultsSearch = defineSearch({ days: oneOfWithDefault(RESULT_DAYS, 30) });

export const readResultDays = (parameters: UrlParameters): ResultDays =>
  resultsSearch.parse(parameters).days;

export const reminderResultsQueryString = (days: ResultDays) => resultsSearch.toQuery({ days });

export const reminderResultsPath = (scope: Scope, days: ResultDays) =>
  scopePath(scope, `/reports/reminders${reminderResultsQueryString(days)}`);

/**
 * Messages sent by the schedule, and the payments that followed; null if nothing sends reminders.
 * Without windows in `paid_within`, payments are not known yet.
 */
export interface SentResultsAnswer {
  sent: ScheduleResults | null;
}

/** A query of its own, so that the others do not wait for the service. */
export const sentResultsQuery = (scope: Scope, days: ResultDays) =>
  queryOptions({
    queryKey: [scope, "subscriptions", "reminders", "results", days] as const,
    queryFn: readRoute<SentResultsAnswer>(
      scope,
      `/reports/reminders/sent${reminderResultsQueryString(days)}`,
    ),
  });
