import { queryOptions } from "@tanstack/react-query";
import type { AuditResult } from "#lib/auth/guards/write-audit.ts";
import { apiPath, type Mode, type Scope } from "#lib/scope.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";

/** One row of the record: what somebody did, or tried to do. */
export interface AuditEvent {
  id: string;
  at: string;
  /** The name as it was then. */
  user_name: string | null;
  action: string;
  result: AuditResult;
  subscription_id: string | null;
  member_name: string | null;
  /** The buyer whose subscription it is, as the copy names them now; the record itself names nobody. */
  subject?: string | null;
  detail: Record<string, string | number | boolean | null>;
}

/** With what only those see who may read the whole record. */
export interface FullAuditEvent extends AuditEvent {
  user_id: string;
  /** As it is today; null when the account is gone. */
  user_email: string | null;
  mode: Mode | null;
  address: string | null;
}

/** Below the subscriptions' keys: whatever changes one makes its history old too. */
export const historyQuery = (scope: Scope, subscription_id: string) =>
  queryOptions({
    queryKey: [scope, "subscriptions", "history", subscription_id] as const,
    queryFn: ({ signal }) =>
      fetchJson<AuditEvent[]>(
        apiPath(scope, `/subscriptions/${encodeURIComponent(subscription_id)}/history`),
        signal,
      ),
  });
