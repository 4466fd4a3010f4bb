"use client";

import { HydrationBoundary, type DehydratedState } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";

interface QueriesFromJsonProps {
  json: string;
  children: ReactNode;
}

export function QueriesFromJson({ json, children }: QueriesFromJsonProps) {
  const state = useMemo(() => JSON.parse(json) as DehydratedState, [json]);
  return <HydrationBoundary state={state}>{children}</HydrationBoundary>;
}
