"use client";

import {
  type DehydratedState,
  HydrationBoundary,
  QueryClientProvider,
} from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { makeQueryClient } from "#lib/query/client.ts";

/** Give it a React key of seller and mode, so that each scope has its own cache. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(makeQueryClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

export function QueriesFromJson({ json, children }: { json: string; children: ReactNode }) {
  const state = useMemo(() => JSON.parse(json) as DehydratedState, [json]);
  return <HydrationBoundary state={state}>{children}</HydrationBoundary>;
}
