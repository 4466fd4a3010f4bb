"use client";

import {
  keepPreviousData,
  type QueryKey,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from "@tanstack/react-query";
import { type ReadonlyURLSearchParams, useSearchParams } from "next/navigation";
import { type ComponentType, type ReactNode, useMemo } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { QueryOutcome } from "#components/list/query-state.tsx";
import type { Failure } from "#lib/failure.ts";
import { refetchEvery } from "#lib/query/client.ts";
import type { Scope } from "#lib/scope.ts";

const LOOK_AGAIN_MS = 5_000;

export interface PolledRows<Search, List> {
  search: Search;
  list: List | undefined;
  isBusy: boolean;
}

interface PolledList<Search, List, Key extends QueryKey> {
  parse: (parameters: ReadonlyURLSearchParams) => Search;
  query: (scope: Scope, search: Search) => UseQueryOptions<List, Error, List, Key>;
  /** Wraps the list and adds what stands above its rows. */
  Frame: ComponentType<{ search: Search; children: ReactNode }>;
  Rows: ComponentType<PolledRows<Search, List>>;
  /** Shown instead of the list if the service has none. */
  NotOffered: ComponentType;
}

/**
 * A list that is paged by cursors and read in the browser, and its skeleton. Its rows change without a
 * live update, so the newest page asks for them every five seconds.
 */
export function polledList<
  Search extends { before: unknown },
  List extends { is_offered: boolean },
  Key extends QueryKey,
>({ parse, query: queryFor, Frame, Rows, NotOffered }: PolledList<Search, List, Key>) {
  function useSearch(): Search {
    const parameters = useSearchParams();
    return useMemo(() => parse(parameters), [parameters]);
  }

  /** @param failure why the server could not read the list */
  function Page({ failure }: { failure: Failure | null }) {
    const search = useSearch();
    const query = useQuery({
      ...queryFor(useScope(), search),
      placeholderData: keepPreviousData,
      refetchInterval: (asked) =>
        refetchEvery(
          search.before === null && asked.state.data?.is_offered !== false && LOOK_AGAIN_MS,
        )(asked),
    });
    if (query.data && !query.data.is_offered) return <NotOffered />;
    return (
      <Frame search={search}>
        <QueryOutcome {...{ query, failure }}>
          <Rows {...{ search, list: query.data }} isBusy={query.isPlaceholderData} />
        </QueryOutcome>
      </Frame>
    );
  }

  /** During server rendering: what the cache holds, or rows of the same size. */
  function Skeleton() {
    const search = useSearch();
    const list = useQueryClient().getQueryData<List>(queryFor(useScope(), search).queryKey);
    return (
      // The page replaces this render, so typed filters would be lost.
      <div inert>
        <Frame search={search}>
          <Rows {...{ search, list }} isBusy={false} />
        </Frame>
      </div>
    );
  }

  return { Page, Skeleton };
}
