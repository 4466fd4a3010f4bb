"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Subscription } from "#contract/subscriptions.ts";
import { BusinessRows, ContactRows } from "#components/list/client-rows.tsx";
import { Day } from "#components/values/day.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { DetailRow } from "#components/ui/detail-row.tsx";
import { customerSubscriptionsQuery } from "#lib/customers/queries.ts";

/** Address and billing details from the newest subscription; the customer record has none. */
export function BuyerDetails({ id }: { id: string }) {
  const { data } = useInfiniteQuery(customerSubscriptionsQuery(useScope(), id));
  const newest = data?.pages.find(({ subscriptions }) => subscriptions.length > 0);
  const [subscription] = newest?.subscriptions ?? [];
  return subscription ? <Details subscription={subscription} /> : null;
}

function Details({ subscription: { client, created_at } }: { subscription: Subscription }) {
  const t = useTranslations("customers.buyer");
  const { address, billing, shipping } = client;
  return (
    <Card aria-labelledby="buyer-title" className="min-w-0 p-4 lg:col-start-2 lg:row-start-2">
      <CardTitle id="buyer-title">{t("title")}</CardTitle>
      {created_at && (
        <p className="text-sm text-muted">
          {t.rich("created", { day: () => <Day iso={created_at} /> })}
        </p>
      )}
      <dl className="mt-3 grid gap-2 [--label:5.5rem]">
        <DetailRow label={t("address")}>{address}</DetailRow>
      </dl>
      {billing && (
        <Part title={t("billing")}>
          <BusinessRows business={billing} />
        </Part>
      )}
      {shipping && (
        <Part title={t("shipping")}>
          <ContactRows contact={shipping} />
        </Part>
      )}
    </Card>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h3 className="mt-4 font-medium">{title}</h3>
      <dl className="mt-2 grid gap-2 [--label:5.5rem]">{children}</dl>
    </>
  );
}
