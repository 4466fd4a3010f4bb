"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import type { Subscription } from "#contract/subscriptions.ts";
import { RowLink } from "#components/list/links.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { subscriptionQuery } from "#lib/subscriptions/queries.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";
import { useRecentlyChanged } from "#components/context/live-state.ts";

const REST_MS = 50;

interface SubscriptionLinkProps {
  subscription: Subscription;
  children?: ReactNode;
}

/** Prefetches the record when the pointer rests on the link. */
export function SubscriptionLink({ subscription, children }: SubscriptionLinkProps) {
  const { subscription_id, client } = subscription;
  const t = useTranslations("subscriptions");
  const scope = useScope();
  const href = subscriptionPath(scope, subscription_id);
  const router = useRouter();
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const forget = () => clearTimeout(timer.current);
  useEffect(() => forget, []);

  function prepare() {
    forget();
    timer.current = setTimeout(() => {
      router.prefetch(href);
      void queryClient.prefetchQuery(subscriptionQuery(scope, subscription_id));
    }, REST_MS);
  }

  return (
    <RowLink href={href} onPointerEnter={prepare} onPointerLeave={forget} onFocus={prepare}>
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
