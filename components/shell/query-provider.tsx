"use client";

import { HydrationBoundary, QueryClientProvider } from "@tanstack/react-query";
import { use, useMemo, useState, type ReactNode } from "react";
import { dehydratedState, makeQueryClient, type SentQuery } from "#lib/query/client.ts";
import { fromPropJson } from "#lib/query/fetch-json.ts";

/**
 * Provides the query cache. Give it a React key of seller and mode, so that each has its own cache.
 */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(makeQueryClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

/**
 * Puts prefetched queries into the cache. They come as one JSON text, because React would visit every field
 * of every row of an object, which delays hydration.
 */
export function HydratedQueries({ json, children }: { json: string; children: ReactNode }) {
  const state = useMemo(() => dehydratedState(fromPropJson(json) as SentQuery[]), [json]);
  return <HydrationBoundary state={state}>{children}</HydrationBoundary>;
}

/**
 * Renders its children once the page's reads are done. The server meanwhile renders the frame around it, and
 * sends nothing, because no Suspense boundary is above it.
 */
export function AwaitedReads({
  reads,
  children,
}: {
  reads: Promise<void>;
  children: ReactNode;
}) {
  use(reads);
  return children;
}
