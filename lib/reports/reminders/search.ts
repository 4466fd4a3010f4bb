import { scopePath, type Scope } from "#lib/scope.ts";
import { parameterReader, queryString, type Parameters } from "#lib/search-params.ts";

/** Reminders of how many days, today's with them. */
export const RESULT_DAYS = [7, 30, 90] as const;
export type ResultDays = (typeof RESULT_DAYS)[number];
const USUAL_DAYS: ResultDays = 30;

export function readResultDays(parameters: Parameters): ResultDays {
  const asked = parameterReader(parameters).text("days");
  return RESULT_DAYS.find((days) => String(days) === asked) ?? USUAL_DAYS;
}

export const resultsQueryString = (days: ResultDays) =>
  queryString({ days: days === USUAL_DAYS ? null : days });

export const resultsPath = (scope: Scope, days: ResultDays) =>
  scopePath(scope, `/collection/results${resultsQueryString(days)}`);
