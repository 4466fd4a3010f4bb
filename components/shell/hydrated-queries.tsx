import type { DehydratedState } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { QueriesFromJson } from "./query-provider.tsx";

interface HydratedQueriesProps {
  state: DehydratedState;
  children: ReactNode;
}

/**
 * TanStack Query's HydrationBoundary with its state as one JSON text: React would visit every field of
 * every row of values, which delays hydration.
 */
export function HydratedQueries({ state, children }: HydratedQueriesProps) {
  return <QueriesFromJson json={JSON.stringify(state)}>{children}</QueriesFromJson>;
}
