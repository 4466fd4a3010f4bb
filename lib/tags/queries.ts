import { queryOptions } from "@tanstack/react-query";
import { fetchJson } from "#lib/query/fetch-json.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { CountedTag } from "./rules.ts";

/** The seller's tags with the number of customers of each. */
export const tagsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "customers", "tags"] as const,
    queryFn: ({ signal }) => fetchJson<CountedTag[]>(apiPath(scope, "/customers/tags"), signal),
  });
