import {
  QueryClient,
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useState } from "react";

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
