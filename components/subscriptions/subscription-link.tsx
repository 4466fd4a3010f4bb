"use client";

import { useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import type { Subscription } from "#contract/subscriptions.ts";
import { subscriptionQuery } from "#lib/subscriptions/queries.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";

const REST_MS = 50;

/**
 * Spans the row it stands in. A pointer that rests on it has the record fetched ahead; one that only
 * passes over twenty rows does not.
 */
export function SubscriptionLink({ subscription }: { subscription: Subscription }) {
  const { subscription_id, client } = subscription;
  const href = subscriptionPath(subscription_id);
  const router = useRouter();
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const forget = () => clearTimeout(timer.current);
  useEffect(() => forget, []);

  function prepare() {
    forget();
    timer.current = setTimeout(() => {
      router.prefetch(href);
      void queryClient.prefetchQuery(subscriptionQuery(subscription_id));
    }, REST_MS);
  }

  return (
    <Link
      href={href}
      prefetch={false}
      onPointerEnter={prepare}
      onPointerLeave={forget}
      onFocus={prepare}
      className="block truncate font-medium -outline-offset-2 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
    >
      {client.full_name || client.phone || "No name"}
    </Link>
  );
}
