import { apiPath, scopePath, type Scope } from "#lib/scope.ts";
import { parameterReader, queryString, type Parameters } from "#lib/search-params.ts";

export const RESULTS = ["done", "refused", "failed", "unknown"] as const;

/** The shape of the record's address; null for what does not narrow it. */
export interface AuditSearch {
  /** Words or a part of an id. */
  q: string | null;
  person: string | null;
  action: string | null;
  result: (typeof RESULTS)[number] | null;
  subscription: string | null;
  /** Days in the seller's zone, both included. */
  from: string | null;
  to: string | null;
  /** The id of the last act of the page before. */
  before: string | null;
}

/** What cannot be read does not narrow. */
export function parseAuditSearch(parameters: Parameters | FormData): AuditSearch {
  const { text, read, day } = parameterReader(parameters);
  return {
    q: read("q", /^[^\0]{1,100}$/),
    person: read("person", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    action: read("action", /^[a-z-]{1,30}\.[a-z-]{1,30}$/),
    result: RESULTS.find((result) => result === text("result")) ?? null,
    subscription: read("subscription", /^[\w-]{1,100}$/),
    from: day("from"),
    to: day("to"),
    before: read("before", /^[1-9]\d{0,17}$/),
  };
}

/** Nothing narrows it but the place in it. */
export function isUnfiltered({ before: _place, ...filters }: AuditSearch): boolean {
  return Object.values(filters).every((value) => value === null);
}

export function auditPath(scope: Scope, search: Partial<AuditSearch> = {}): string {
  return scopePath(scope, `/settings/audit-log${queryString(search)}`);
}

/** The whole filtered record as a file, wherever the page stands in it. */
export function auditFilePath(scope: Scope, search: AuditSearch): string {
  return apiPath(scope, `/audit-log${queryString({ ...search, before: null })}`);
}
