import { queryOptions } from "@tanstack/react-query";
import { apiPath, type Scope } from "#lib/scope.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import type { SubscriptionColumn } from "./rules.ts";

export const columnsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "columns", "subscriptions"] as const,
    queryFn: ({ signal }) =>
      fetchJson<SubscriptionColumn[]>(apiPath(scope, "/subscriptions/columns"), signal),
    // Only this person changes them, and then the cache is told.
    staleTime: Infinity,
  });
