import {
  QueryClient,
  type QueryKey,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
  type UseQueryResult,
} from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useFormat } from "#components/values/use-format.ts";
import { Notice } from "#components/ui/notice.tsx";
import { describeFailure, type Failure, failureOf } from "#lib/failure.ts";
import { FailurePanel } from "#components/forms/failure-panel.tsx";

interface StaleNoticeProps {
  query: Pick<UseQueryResult, "data" | "error" | "dataUpdatedAt" | "refetch">;
}

/** Above data that is still here while a newer reading failed; otherwise nothing. */
export function StaleNotice({ query }: StaleNoticeProps) {
  const t = useTranslations();
  const format = useFormat();
  const { data, error, dataUpdatedAt, refetch } = query;
  if (!data || !error) return null;
  const time = format.time(new Date(dataUpdatedAt).toISOString());
  return (
    <Notice look="warning" icon={CloudOff} role="status" className="mb-4">
      {t("table.stale", { failure: describeFailure(t, failureOf(error)).title, time })}{" "}
      <button
        type="button"
        onClick={() => void refetch()}
        className="rounded font-medium underline"
      >
        {t("failures.tryAgain")}
      </button>
    </Notice>
  );
}

interface QueryState {
  data: unknown;
  error: Error | null;
}

/**
 * The failure to show in place of data. It stays while the next try is under way, where the query
 * itself already says "pending", so that a page without its service does not flicker.
 * @param atServer why the server could not prefetch
 */
export function useVisibleFailure(query: QueryState, atServer: Failure | null): Failure | null {
  const [last, setLast] = useState(atServer);
  const failed = query.error ? failureOf(query.error) : last;
  const current = query.data === undefined ? failed : null;
  if (current !== last) setLast(current);
  return current;
}

interface QueryOutcomeProps {
  query: UseQueryResult<unknown>;
  /** Why the server could not read it. */
  failure: Failure | null;
  /** Of a page whose own heading is in what was read. */
  heading?: string;
  children: ReactNode;
}

/** What was read, and above it how old it is if it cannot be read anew; in its place why there is none. */
export function QueryOutcome({ query, failure, heading, children }: QueryOutcomeProps) {
  const visibleFailure = useVisibleFailure(query, failure);
  return (
    <>
      <StaleNotice query={query} />
      {visibleFailure ? (
        <>
          {heading && <h1 className="sr-only">{heading}</h1>}
          <FailurePanel failure={visibleFailure} query={query} />
        </>
      ) : (
        children
      )}
    </>
  );
}

/**
 * A query that only reads the cache while `isPlaceholder`: a query of its own would keep the page's data
 * out of the first render, because hydration leaves existing queries to an effect.
 */
export function useCached<Data, Key extends QueryKey>(
  options: UseQueryOptions<Data, Error, Data, Key>,
  isPlaceholder: boolean,
): UseQueryResult<Data> {
  const client = useQueryClient();
  const [own] = useState(() => (isPlaceholder ? new QueryClient() : client));
  const cached = isPlaceholder ? client.getQueryData<Data>(options.queryKey) : undefined;
  return useQuery(
    isPlaceholder
      ? {
          queryKey: options.queryKey,
          enabled: false,
          placeholderData: options.placeholderData as never,
          ...(cached !== undefined && { initialData: cached as never }),
        }
      : options,
    own,
  );
}
