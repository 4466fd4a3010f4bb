"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { StaleNotice } from "#components/data-table/stale-notice.tsx";
import { useVisibleFailure } from "#components/data-table/use-visible-failure.ts";
import { FailurePanel } from "#components/layout/failure-panel.tsx";
import { usePermission, useScope } from "#components/layout/seller-context.tsx";
import type { Failure } from "#lib/billing/errors.ts";
import { receiverQuery, type ReceiverState } from "#lib/receiver/queries.ts";
import { ReceivedList } from "./received-list.tsx";
import { ReceiverCard } from "./receiver-card.tsx";
import { ReceiverSecrets } from "./receiver-secrets.tsx";

/** @param failure why the server could not read it */
export function ReceivedPage({ failure }: { failure: Failure | null }) {
  const query = useQuery(receiverQuery(useScope()));
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
        <Received receiver={query.data} />
      )}
    </>
  );
}

/** While the server renders the page: what the cache holds, or cards of the same size. */
export function ReceivedPageFallback() {
  return (
    <div inert>
      <Received receiver={useQueryClient().getQueryData(receiverQuery(useScope()).queryKey)} />
    </div>
  );
}

function Received({ receiver }: { receiver: ReceiverState | undefined }) {
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
      <ReceiverCard receiver={receiver} mayWrite={mayWrite} />
      {mayWrite && receiver.url && <ReceiverSecrets receiver={receiver} />}
      <ReceivedList rows={receiver.latest} />
    </div>
  );
}
