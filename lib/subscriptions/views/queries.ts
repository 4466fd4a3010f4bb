import { queryOptions } from "@tanstack/react-query";
import type { Scope } from "#lib/scope.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { readRoute } from "#lib/query/fetch-json.ts";
import type { IndexAbsence } from "#lib/list-answer.ts";
import type { View } from "./rules.ts";

export interface ViewCount {
  count: number;
  is_capped: boolean;
}

/** How many rows each view has, by its id, or why the index cannot count them. */
export type ViewCounts =
  | { state: "ready"; as_of: string; age_s: number; counts: Record<string, ViewCount> }
  | IndexAbsence;

export const viewsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "views"] as const,
    queryFn: readRoute<View[]>(scope, "/subscriptions/views"),
  });

const FOLLOWING_MS = 30_000;

/** The key begins with "subscriptions", so that every change of a subscription invalidates it. */
export const viewCountsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "subscriptions", "views"] as const,
    queryFn: readRoute<ViewCounts>(scope, "/subscriptions/views/counts"),
    refetchInterval: refetchEvery(FOLLOWING_MS),
  });
