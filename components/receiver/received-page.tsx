"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { StaleNotice, useVisibleFailure } from "#components/list/query-state.tsx";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { usePermission, useScope } from "#components/context/seller-context.tsx";
import type { Failure } from "#lib/failure.ts";
import { receiverQuery, type ReceiverState } from "#lib/receiver/queries.ts";
import type { ReceivedSearch } from "#lib/receiver/search.ts";
import { ReceivedList } from "./received-list.tsx";
import { ReceiverCard } from "./receiver-card.tsx";
import { ReceiverSecrets } from "./receiver-secrets.tsx";

interface ReceivedPageProps {
  search: ReceivedSearch;
  /** Why the server could not read it. */
  failure: Failure | null;
}

export function ReceivedPage({ search, failure }: ReceivedPageProps) {
  const query = useQuery(receiverQuery(useScope(), search));
  const visibleFailure = useVisibleFailure(query, failure);
  return (
    <>
      <StaleNotice query={query} />
      {visibleFailure ? (
        <FailurePanel
          failure={visibleFailure}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Received receiver={query.data} search={search} />
      )}
    </>
  );
}

const NEWEST: ReceivedSearch = { before: null };

/** While the server renders the page: what the cache holds, or cards of the same size. */
export function ReceivedPageSkeleton() {
  return (
    <div inert>
      <Received
        receiver={useQueryClient().getQueryData(receiverQuery(useScope(), NEWEST).queryKey)}
        search={NEWEST}
      />
    </div>
  );
}

interface ReceivedProps {
  receiver: ReceiverState | undefined;
  search: ReceivedSearch;
}

function Received({ receiver, search }: ReceivedProps) {
  const mayWrite = usePermission("webhooks:write");
  if (!receiver)
    return (
      <div aria-busy className="grid max-w-3xl gap-4">
        <span className="skeleton h-64 rounded-md" />
        <span className="skeleton h-14 rounded-md" />
        <span className="skeleton h-72 rounded-md" />
      </div>
    );
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
      {search.before === null && (
        <>
          <ReceiverCard receiver={receiver} mayWrite={mayWrite} />
          {mayWrite && receiver.url && <ReceiverSecrets receiver={receiver} />}
        </>
      )}
      <ReceivedList rows={receiver.latest} next={receiver.next} search={search} />
    </div>
  );
}
