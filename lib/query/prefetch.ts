import "server-only";
import {
  dehydrate,
  QueryClient,
  type DehydratedState,
  type QueryKey,
} from "@tanstack/react-query";
import { BillingError, type Failure } from "#lib/billing/errors.ts";

export interface Prefetched {
  /** For HydrationBoundary. */
  state: DehydratedState;
  /** Why there is no data; the page then renders that in words instead of failing. */
  failure: Failure | null;
}

/** Reads on the server what the browser's query of the same key will find in its cache. */
export async function prefetch(
  queryKey: QueryKey,
  queryFn: () => Promise<unknown>,
): Promise<Prefetched> {
  const client = new QueryClient();
  try {
    await client.fetchQuery({ queryKey, queryFn, retry: false });
    return { state: dehydrate(client), failure: null };
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    return { state: dehydrate(client), failure: error.failure };
  }
}
