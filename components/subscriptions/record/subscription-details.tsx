"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Subscription } from "#contract/subscriptions.ts";
import { BusinessRows, ContactRows } from "#components/list/client-rows.tsx";
import { RawJsonButton } from "#components/list/raw-json.tsx";
import { Day, RelativeDay } from "#components/values/day.tsx";
import { ScopedLink, useFormat, usePermission } from "#components/context/seller-context.tsx";
import { ProductAmountToPay } from "#components/values/to-pay.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { DetailRow } from "#components/ui/detail-row.tsx";
import { tagPath } from "#lib/customers/search.ts";
import { isOneTimePurchase, isPayable, nextBilling } from "#lib/money/payable.ts";

interface SubscriptionDetailsProps {
  subscription: Subscription;
  /** Whether the record is still being read, and only what a list shows is known. */
  isOpening: boolean;
  /** The customer's tags. */
  tags: readonly string[];
}

/** The record's own data, even if its product is no longer listed. */
export function SubscriptionDetails({
  subscription,
  isOpening,
  tags,
}: SubscriptionDetailsProps) {
  const { client, product } = subscription;
  const t = useTranslations("subscription.details");
  const format = useFormat();
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Section title={t("title")}>
        <DetailRow label={t("product")}>{product.name}</DetailRow>
        <DetailRow label={t("plan")}>{product.plan_name}</DetailRow>
        <DetailRow label={t("period")}>{product.label}</DetailRow>
        {isPayable(subscription) && (
          <DetailRow label={t("toPay")}>
            <span className="tabular-nums">
              <ProductAmountToPay product={product} />
            </span>
          </DetailRow>
        )}
        <DetailRow label={t("price")}>
          <span className="tabular-nums">{format.money(product.price, product.currency)}</span>
        </DetailRow>
        <BillingRows subscription={subscription} />
        <DetailRow label={t("created")}>
          <Day iso={subscription.created_at} />
        </DetailRow>
        <DetailRow
          label={t("id")}
          action={
            <RawJsonButton isInRow kind="subscription" id={subscription.subscription_id} />
          }
        >
          <span className="font-mono text-xs break-all">{subscription.subscription_id}</span>
        </DetailRow>
      </Section>
      <div className="grid gap-4">
        <Section title={t("buyer")}>
          <ContactRows contact={client} isOpening={isOpening} />
          <CustomerLink subscription={subscription} />
          <TagRow tags={tags} />
        </Section>
        {client.billing && (
          <Section title={t("billing")}>
            <BusinessRows business={client.billing} />
          </Section>
        )}
        {client.shipping && (
          <Section title={t("shipping")}>
            <ContactRows contact={client.shipping} />
          </Section>
        )}
      </div>
    </div>
  );
}

/**
 * A link to the customer. Its page looks the customer up, because a subscription has no customer
 * id.
 */
function CustomerLink({
  subscription: { subscription_id, client },
}: Pick<SubscriptionDetailsProps, "subscription">) {
  const t = useTranslations("subscription.details");
  if (!usePermission("customers:read") || !client.phone) return null;
  return (
    <DetailRow label={t("customer")}>
      <ScopedLink
        href={`/customers/of/${encodeURIComponent(subscription_id)}`}
        className="inline-flex items-center rounded font-medium text-accent hover:underline max-md:-my-3 max-md:min-h-11"
      >
        {t("customerLink")}
      </ScopedLink>
    </DetailRow>
  );
}

/** The customer's tags; each leads to its customers. */
function TagRow({ tags }: { tags: readonly string[] }) {
  const t = useTranslations("customers");
  if (tags.length === 0) return null;
  return (
    <DetailRow label={t("tags")}>
      {tags.map((name, at) => (
        <span key={name}>
          {at > 0 && ", "}
          <ScopedLink
            href={tagPath(name)}
            className="rounded wrap-anywhere text-accent hover:underline"
          >
            {name}
          </ScopedLink>
        </span>
      ))}
    </DetailRow>
  );
}

function BillingRows({ subscription }: { subscription: Subscription }) {
  const t = useTranslations("subscription.details");
  if (isOneTimePurchase(subscription))
    return <DetailRow label={t("billing")}>{t("oneTime")}</DetailRow>;
  const { current_period_start: start, current_period_end: end } = subscription;
  const next = nextBilling(subscription);
  return (
    <>
      <DetailRow label={t("nextBilling")}>
        {next && (
          <>
            <Day iso={next} />{" "}
            <span className="text-muted">
              (<RelativeDay iso={next} />)
            </span>
          </>
        )}
      </DetailRow>
      <DetailRow label={t("currentPeriod")}>
        {start && end && (
          <>
            <Day iso={start} /> – <Day iso={end} />
          </>
        )}
      </DetailRow>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card className="p-4 sm:p-5">
      <CardTitle>{title}</CardTitle>
      <dl className="mt-3 grid gap-2">{children}</dl>
    </Card>
  );
}

export function SubscriptionDetailsSkeleton() {
  return (
    <>
      <span className="skeleton mb-5 h-8 w-64" />
      <div className="grid gap-4 lg:grid-cols-2">
        <span className="skeleton h-80 rounded-md" />
        <span className="skeleton h-44 rounded-md" />
      </div>
    </>
  );
}
