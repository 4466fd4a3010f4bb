import { queryOptions } from "@tanstack/react-query";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { IndexStatus } from "#lib/search-index/query/index-status.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import type { Grouped, Outcomes } from "./rules.ts";
import { reminderResultsQueryString, type ResultDays } from "./search.ts";

export interface ReminderResults {
  days: ResultDays;
  /** Days of the seller's zone, YYYY-MM-DD. */
  from: string;
  to: string;
  /** The copy began to know later than `from`: what was done before is in none of the numbers. */
  is_partial: boolean;
  /** ISO */
  known_since: string;
  reminded: Outcomes;
  /** Who came to be due in the same time and was not reminded. */
  unreminded: Outcomes;
  channels: Grouped[];
  counts: Grouped[];
  /** Null for whoever may not see what each colleague did. */
  people: Grouped[] | null;
  promises: { kept: number; broken: number; open: number };
  /** Reminders to records that the copy does not know any more, so that nobody can tell. */
  unknown: number;
}

/** Without a copy nothing is known of payments. */
export type ReminderResultsAnswer =
  | (Extract<IndexStatus, { state: "ready" }> & { results: ReminderResults })
  | Exclude<IndexStatus, { state: "ready" }>;

export const reminderResultsQuery = (scope: Scope, days: ResultDays) =>
  queryOptions({
    queryKey: [scope, "subscriptions", "reminders", days] as const,
    queryFn: ({ signal }) =>
      fetchJson<ReminderResultsAnswer>(
        apiPath(scope, `/reports/reminders${reminderResultsQueryString(days)}`),
        signal,
      ),
  });
