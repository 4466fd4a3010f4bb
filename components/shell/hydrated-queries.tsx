import type { DehydratedState } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { QueriesFromJson } from "./queries-from-json.tsx";

interface HydratedQueriesProps {
  state: DehydratedState;
  children: ReactNode;
}

/**
 * TanStack Query's HydrationBoundary, sent as one text: of records sent as values, React would look at
 * every field of every row before the page is at work.
 */
export function HydratedQueries({ state, children }: HydratedQueriesProps) {
  return <QueriesFromJson json={JSON.stringify(state)}>{children}</QueriesFromJson>;
}
