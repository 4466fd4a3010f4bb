"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import { History } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { Subscription } from "#contract/subscriptions.ts";
import { reusedSubscriptionKey } from "#lib/subscriptions/queries.ts";

export function ReuseNotice({ subscription }: { subscription: Subscription }) {
  const t = useTranslations("subscription.reuse");
  const scope = useScope();
  const { money } = useFormat();
  const { subscription_id } = subscription;
  // The earlier record is in the cache of the tab that created the subscription, until it reloads.
  const before = useQueryClient().getQueryData<Subscription>(
    reusedSubscriptionKey(scope, subscription_id),
  );
  const changes = before && listReuseChanges(before, subscription, money);
  return (
    <Notice icon={History} className="mt-3">
      <p>
        {t.rich("text", {
          strong: (words) => <span className="font-medium">{words}</span>,
        })}
      </p>
      {changes?.length === 0 && <p className="mt-1">{t("same")}</p>}
      {changes && changes.length > 0 && <Changes changes={changes} />}
    </Notice>
  );
}

function Changes({ changes }: { changes: ReuseChange[] }) {
  const t = useTranslations("subscription");
  return (
    <dl aria-label={t("reuse.label")} className="mt-2 grid gap-1">
      {changes.map(({ part, before, after }) => (
        <div key={part} className="grid gap-x-3 sm:grid-cols-[8rem_minmax(0,1fr)]">
          <dt className="text-muted">{t(`reuse.part.${part}`)}</dt>
          <dd className="min-w-0">
            {t.rich("reuse.change", {
              before: before || t("reuse.none"),
              after: after || t("reuse.none"),
              hidden: (words) => <span className="sr-only">{words}</span>,
              del: (words) => <del className="text-muted">{words}</del>,
              arrow: () => <span aria-hidden> → </span>,
              ins: (words) => <ins className="no-underline">{words}</ins>,
            })}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type Told = Pick<Subscription, "client" | "product">;
type Money = (amount: string, currency: string) => string;
type Read = (one: Told, money: Money) => string | undefined;

const PARTS = {
  period: ({ product }) => product.label,
  price: ({ product }, money) => product.price && money(product.price, product.currency),
  phone: ({ client }) => client.phone,
  name: ({ client }) => client.full_name,
  email: ({ client }) => client.email,
  address: ({ client }) => client.address,
  businessName: ({ client }) => client.billing?.business_name,
  panVat: ({ client }) => client.billing?.pan_vat,
  billingEmail: ({ client }) => client.billing?.email,
  billingAddress: ({ client }) => client.billing?.address,
  shippingName: ({ client }) => client.shipping?.full_name,
  shippingPhone: ({ client }) => client.shipping?.phone,
  shippingEmail: ({ client }) => client.shipping?.email,
  shippingAddress: ({ client }) => client.shipping?.address,
} satisfies Record<string, Read>;

interface ReuseChange {
  part: keyof typeof PARTS;
  /** The earlier value; empty if unset. */
  before: string;
  after: string;
}

export function listReuseChanges(before: Told, after: Told, money: Money): ReuseChange[] {
  return (Object.keys(PARTS) as ReuseChange["part"][])
    .map((part) => {
      const read: Read = PARTS[part];
      return { part, before: read(before, money) ?? "", after: read(after, money) ?? "" };
    })
    .filter((row) => row.before !== row.after);
}
