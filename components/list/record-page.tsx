import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { BackLink } from "./links.tsx";
import type { Failure } from "#lib/failure.ts";
import { QueryOutcome } from "./query-state.tsx";

interface RecordPageProps<Data> {
  back: { href: string; label: string };
  /** The heading while nothing could be read. */
  heading: string;
  query: UseQueryResult<Data>;
  /** Why the server could not read it. */
  failure: Failure | null;
  /** By default, two columns. */
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** The states of one record's page: loading, stale, failed, and the record. */
export function RecordPage<Data>(props: RecordPageProps<Data>) {
  const { back, heading, query, failure, skeleton = <TwoColumns />, children } = props;
  return (
    <>
      <BackLink href={back.href}>{back.label}</BackLink>
      <QueryOutcome {...{ query, failure, heading }}>
        {query.data === undefined ? <div aria-busy>{skeleton}</div> : children(query.data)}
      </QueryOutcome>
    </>
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
