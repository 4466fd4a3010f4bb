"use client";

import { useQuery } from "@tanstack/react-query";
import { PackageOpen } from "lucide-react";
import { useVisibleFailure } from "#components/data-table/use-visible-failure.ts";
import { FailurePanel } from "#components/layout/failure-panel.tsx";
import { PageHeader } from "#components/layout/page-header.tsx";
import { StatePanel } from "#components/ui/state-panel.tsx";
import type { Failure } from "#lib/billing/errors.ts";
import { catalogueQuery } from "#lib/products/queries.ts";
import { CreateSubscriptionForm } from "./create-subscription-form.tsx";
import { CreateSubscriptionSkeleton } from "./create-subscription-skeleton.tsx";

interface CreateSubscriptionProps {
  failure: Failure | null;
  /** The seller's calendar day, for the offers that hold today. */
  today: string;
  /** Chosen by a link from elsewhere. */
  pbpId: string;
}

export function CreateSubscription({ failure, today, pbpId }: CreateSubscriptionProps) {
  const query = useQuery(catalogueQuery());
  const visibleFailure = useVisibleFailure(query, failure);
  return (
    <>
      <PageHeader title="New subscription" />
      {visibleFailure && (
        <FailurePanel
          failure={visibleFailure}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {!visibleFailure && !query.data && <CreateSubscriptionSkeleton />}
      {query.data?.products.length === 0 && (
        <StatePanel
          icon={PackageOpen}
          title="There is nothing to subscribe to yet"
          text="Products and their plans are made at the billing service. Once one is on sale there, it can be picked here."
        />
      )}
      {query.data && query.data.products.length > 0 && (
        <CreateSubscriptionForm catalogue={query.data} today={today} pbpId={pbpId} />
      )}
    </>
  );
}
