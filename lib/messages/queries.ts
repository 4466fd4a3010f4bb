import { queryOptions } from "@tanstack/react-query";
import { apiPath, type Scope } from "#lib/auth/scope.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import type { Messages } from "./rules.ts";

export const messagesQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "messages"] as const,
    queryFn: ({ signal }) => fetchJson<Messages>(apiPath(scope, "/messages"), signal),
  });
