"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { useScope } from "#components/layout/seller-context.tsx";
import type { CreateSubscription } from "#contract/subscriptions.ts";
import { customerByPhoneQuery, customerSubscriptionsQuery } from "#lib/customers/queries.ts";
import { subscriptionPath, subscriptionsPath } from "#lib/subscriptions/search.ts";

/** The way to the one that stands in the way of a new one: the refusal itself does not name it. */
export function ExistingSubscription({ asked }: { asked: CreateSubscription }) {
  const t = useTranslations("create.existing");
  const scope = useScope();
  const { existing, isLooking, lookFurther } = useExisting(asked);
  if (existing)
    return (
      <Link href={subscriptionPath(scope, existing.subscription_id)} className="underline">
        {t("open", { name: existing.client.full_name || existing.client.phone })}
      </Link>
    );
  const all = (words: ReactNode) => (
    <Link href={subscriptionsPath(scope, { status: "active" })} className="underline">
      {words}
    </Link>
  );
  const further = (words: ReactNode) => (
    <button type="button" className="underline" onClick={lookFurther ?? undefined}>
      {words}
    </button>
  );
  return (
    <p>
      {t(isLooking ? "looking" : "notFound")}{" "}
      {lookFurther ? t.rich("furtherOrAll", { further, all }) : all(t("all"))}
    </p>
  );
}

function useExisting({ pbp_id, client }: CreateSubscription) {
  const scope = useScope();
  const buyer = useQuery({ ...customerByPhoneQuery(scope, client.phone), retry: false });
  const customer = buyer.data?.customer ?? null;
  const query = useInfiniteQuery({
    ...customerSubscriptionsQuery(scope, String(customer?.id)),
    retry: false,
    enabled: customer !== null,
  });
  const existing = query.data?.pages
    .flatMap(({ subscriptions }) => subscriptions)
    .find(({ status, product }) => status === "active" && product.pbp_id === pbp_id);
  const isLooking = buyer.isFetching || query.isFetching;
  return {
    existing,
    isLooking,
    lookFurther: query.hasNextPage && !isLooking ? () => void query.fetchNextPage() : null,
  };
}
