import { scopePath, type Scope } from "#lib/scope.ts";
import { defineSearch, oneOfOr, type Parameters } from "#lib/search-params.ts";

/** Days of reminders to include, today among them. */
export const RESULT_DAYS = [7, 30, 90] as const;
export type ResultDays = (typeof RESULT_DAYS)[number];

const resultsSearch = defineSearch({ days: oneOfOr(RESULT_DAYS, 30) });

export const readResultDays = (parameters: Parameters): ResultDays =>
  resultsSearch.parse(parameters).days;

export const reminderResultsQueryString = (days: ResultDays) => resultsSearch.toQuery({ days });

export const reminderResultsPath = (scope: Scope, days: ResultDays) =>
  scopePath(scope, `/reports/reminders${reminderResultsQueryString(days)}`);
