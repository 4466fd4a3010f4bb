import {
  QueryClient,
  type QueryKey,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useFormat } from "#components/context/seller-context.tsx";
import { PlaceholderContext } from "#components/ui/button.tsx";
import { CloudOff } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { describeFailure, type Failure, failureOf } from "#lib/failure.ts";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { BackLink } from "./links.tsx";

interface StaleNoticeProps {
  query: Pick<UseQueryResult, "data" | "error" | "dataUpdatedAt" | "refetch">;
}

/** Says that the data is old because refetching failed. */
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
  isPlaceholderData: boolean;
}

/**
 * The failure to show instead of data. It stays during a retry, when the query itself is pending again and has
 * only a placeholder, so that the page does not flicker.
 * @param atServer why the server could not prefetch
 */
export function useVisibleFailure(query: QueryState, atServer: Failure | null): Failure | null {
  const [last, setLast] = useState(atServer);
  const failed = query.error ? failureOf(query.error) : last;
  const current = query.data === undefined || query.isPlaceholderData ? failed : null;
  if (current !== last) setLast(current);
  return current;
}

interface QueryOutcomeProps {
  query: UseQueryResult<unknown>;
  /** Why the server could not read the data; null if it could. */
  failure: Failure | null;
  /** The page's heading while it shows a failure. */
  heading?: string;
  children: ReactNode;
}

/** Shows the data, with a notice if it is old; or the failure. */
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
 * A query that only reads the cache while `isPlaceholder`. A query created by the placeholder would keep the
 * prefetched data out of the first render, because hydration updates existing queries in an effect.
 */
export function useCachedQuery<Data, Key extends QueryKey>(
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

interface RecordPageProps<Data> {
  back: { href: string; label: string };
  /** The heading while the page shows a failure. */
  heading: string;
  query: UseQueryResult<Data>;
  /** Why the server could not read the data; null if it could. */
  failure: Failure | null;
  isPlaceholder?: boolean;
  /** The skeleton; by default, two columns. */
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** The states of one record's page: loading, stale, failed, and the record. */
export function RecordPage<Data>(props: RecordPageProps<Data>) {
  const { back, heading, query, failure, skeleton = <TwoColumns />, children } = props;
  return (
    <PlaceholderContext value={props.isPlaceholder ?? false}>
      <BackLink href={back.href}>{back.label}</BackLink>
      <QueryOutcome {...{ query, failure, heading }}>
        {query.data === undefined ? <div aria-busy>{skeleton}</div> : children(query.data)}
      </QueryOutcome>
    </PlaceholderContext>
  );
}

function TwoColumns() {
  return (
    <>
      <span className="skeleton mb-5 h-8 w-64" />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <span className="skeleton h-72 rounded-md" />
        <span className="skeleton h-72 rounded-md" />
      </div>
    </>
  );
}
