"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useVisibleFailure } from "#components/list/query-state.tsx";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { PackageOpen } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import type { Failure } from "#lib/failure.ts";
import { catalogueQuery } from "#lib/products/queries.ts";
import { subscriptionQuery } from "#lib/subscriptions/queries.ts";
import {
  CreateSubscriptionForm,
  type CreateSubscriptionFormProps,
} from "./create-subscription-form.tsx";
import { CreateSubscriptionSkeleton } from "./create-subscription-skeleton.tsx";

interface CreateSubscriptionProps extends Omit<
  CreateSubscriptionFormProps,
  "catalogue" | "ended"
> {
  failure: Failure | null;
}

export function CreateSubscriptionPage({ failure, ...props }: CreateSubscriptionProps) {
  const t = useTranslations("create");
  const scope = useScope();
  const query = useQuery(catalogueQuery(scope));
  const { endedId } = props;
  const ended = useQuery({
    ...subscriptionQuery(scope, endedId),
    enabled: endedId !== "",
    retry: false,
  });
  const visibleFailure = useVisibleFailure(query, failure);
  return (
    <>
      <PageHeader title={t("title")} />
      {visibleFailure && <FailurePanel failure={visibleFailure} query={query} />}
      {!visibleFailure && (!query.data || ended.isLoading) && <CreateSubscriptionSkeleton />}
      {query.data?.products.length === 0 && (
        <StatePanel icon={PackageOpen} title={t("empty.title")} text={t("empty.text")} />
      )}
      {query.data && query.data.products.length > 0 && !ended.isLoading && (
        <CreateSubscriptionForm
          catalogue={query.data}
          ended={ended.data?.subscription ?? null}
          {...props}
        />
      )}
    </>
  );
}
