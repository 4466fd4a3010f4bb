import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { BackLink } from "#components/list/back-link.tsx";
import type { Failure } from "#lib/failure.ts";
import { QueryOutcome } from "./query-outcome.tsx";

interface RecordPageProps<Data> {
  back: { href: string; label: string };
  /** The heading while nothing could be read. */
  heading: string;
  query: UseQueryResult<Data>;
  /** Why the server could not read it. */
  failure: Failure | null;
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/** The states of one record's page: loading, stale, failed, and the record. */
export function RecordPage<Data>(props: RecordPageProps<Data>) {
  const { back, heading, query, failure, skeleton, children } = props;
  return (
    <>
      <BackLink href={back.href}>{back.label}</BackLink>
      <QueryOutcome {...{ query, failure, heading }}>
        {query.data === undefined ? <div aria-busy>{skeleton}</div> : children(query.data)}
      </QueryOutcome>
    </>
  );
}
