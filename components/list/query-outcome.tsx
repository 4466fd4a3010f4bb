import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import type { Failure } from "#lib/failure.ts";
import { StaleNotice, useVisibleFailure } from "./query-state.tsx";

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
  const retry = () => void query.refetch();
  return (
    <>
      <StaleNotice query={query} />
      {visibleFailure ? (
        <>
          {heading && <h1 className="sr-only">{heading}</h1>}
          <FailurePanel
            failure={visibleFailure}
            isRetrying={query.isFetching}
            onRetry={retry}
          />
        </>
      ) : (
        children
      )}
    </>
  );
}
