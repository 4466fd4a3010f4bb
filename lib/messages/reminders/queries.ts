import { queryOptions } from "@tanstack/react-query";
import { apiPath, type Scope } from "#lib/scope.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import type { SellerTexts } from "./rules.ts";

export const remindersQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "messages"] as const,
    queryFn: ({ signal }) => fetchJson<SellerTexts>(apiPath(scope, "/messages"), signal),
  });
