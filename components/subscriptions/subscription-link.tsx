"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Subscription } from "#contract/subscriptions.ts";
import { RowLink } from "#components/list/links.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { openedSubscriptionQuery } from "#lib/subscriptions/queries.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";
import { useRecentlyChanged } from "#components/context/live-state.ts";

interface SubscriptionLinkProps {
  subscription: Pick<Subscription, "subscription_id"> & {
    client: Pick<Subscription["client"], "full_name" | "phone">;
  };
  children?: ReactNode;
}

/** A row's link to its subscription. */
export function SubscriptionLink({ subscription, children }: SubscriptionLinkProps) {
  const { subscription_id, client } = subscription;
  const t = useTranslations("subscriptions");
  const scope = useScope();
  const href = subscriptionPath(scope, subscription_id);
  const queryClient = useQueryClient();
  const prefetchRecord = () =>
    void queryClient.prefetchQuery(openedSubscriptionQuery(scope, subscription_id));
  return (
    <RowLink href={href} onIntent={prefetchRecord}>
      <ChangedMark id={subscription_id} />
      {children || client.full_name || client.phone || t("noName")}
    </RowLink>
  );
}

/** Marks a row that has just changed, for some seconds. */
function ChangedMark({ id }: { id: string }) {
  const t = useTranslations("live");
  if (!useRecentlyChanged(id)) return null;
  return (
    <span className="changed-mark">
      <span className="sr-only">{t("changed")}</span>
    </span>
  );
}
