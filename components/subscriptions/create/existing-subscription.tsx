"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { useScope } from "#components/context/seller-context.tsx";
import type { CreateSubscription } from "#contract/subscriptions.ts";
import { customerByPhoneQuery, customerSubscriptionsQuery } from "#lib/customers/queries.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";

/**
 * The way to the one that stands in the way of a new one: the refusal itself does not name it, and may be
 * for another reason. Then there is none, and nothing is said.
 */
export function ExistingSubscription({ asked }: { asked: CreateSubscription }) {
  const t = useTranslations("create.existing");
  const scope = useScope();
  const existing = useExisting(asked);
  if (!existing) return null;
  return (
    <Link href={subscriptionPath(scope, existing.subscription_id)} className="underline">
      {t("open", { name: existing.client.full_name || existing.client.phone })}
    </Link>
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
  return query.data?.pages
    .flatMap(({ subscriptions }) => subscriptions)
    .find(({ status, product }) => status === "active" && product.pbp_id === pbp_id);
}
