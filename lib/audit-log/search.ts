import { apiPath, scopePath, type Scope } from "#lib/scope.ts";
import {
  calendarDayOrNull,
  defineSearch,
  textMatching,
  oneOf,
  type SearchOf,
  UUID,
} from "#lib/search-params.ts";

export const AUDIT_RESULTS = ["done", "refused", "failed", "unknown"] as const;

const auditSearch = defineSearch({
  /** Search words, or a part of an id. */
  q: textMatching(/^[^\0]{1,100}$/),
  person: textMatching(UUID),
  action: textMatching(/^[a-z-]{1,30}\.[a-z-]{1,30}$/),
  result: oneOf(AUDIT_RESULTS),
  subscription: textMatching(/^[\w-]{1,100}$/),
  /** Days in the seller's time zone; both are included. */
  from: calendarDayOrNull(),
  to: calendarDayOrNull(),
  /** The id of the last entry on the previous page. */
  before: textMatching(/^[1-9]\d{0,17}$/),
});
export type AuditSearch = SearchOf<typeof auditSearch>;
export const parseAuditSearch = auditSearch.parse;

/** Whether no filter is set; the position in the log does not count. */
export const isUnfiltered = (search: AuditSearch): boolean =>
  auditSearch.toQuery({ ...search, before: null }) === "";

export function auditPath(scope: Scope, search: Partial<AuditSearch> = {}): string {
  return scopePath(scope, `/settings/audit-log${auditSearch.toQuery(search)}`);
}

/** The URL of the CSV file of all filtered entries, whatever page is shown. */
export function auditFilePath(scope: Scope, search: AuditSearch): string {
  return apiPath(scope, `/audit-log${auditSearch.toQuery({ ...search, before: null })}`);
}
