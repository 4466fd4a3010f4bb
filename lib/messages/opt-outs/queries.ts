import { queryOptions } from "@tanstack/react-query";
import type { OptOut } from "#contract/reminders.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import { apiPath, type Scope } from "#lib/scope.ts";

/** Not offered where nothing sends reminders to the customer. */
export type CustomerOptOuts = { is_offered: false } | { is_offered: true; opt_outs: OptOut[] };

export const customerOptOutsQuery = (scope: Scope, id: string) =>
  queryOptions({
    queryKey: [scope, "messages", "opt-outs", id] as const,
    queryFn: ({ signal }) =>
      fetchJson<CustomerOptOuts>(
        apiPath(scope, `/customers/${encodeURIComponent(id)}/opt-outs`),
        signal,
      ),
  });
