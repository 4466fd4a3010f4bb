"use client";

import type { ReactNode } from "react";
import type { Subscription } from "#contract/subscriptions.ts";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { formatMoney } from "#lib/format.ts";
import { isOneTimePurchase } from "#lib/subscriptions/rules.ts";
import { Day, RelativeDay } from "./day.tsx";

/** The record as the service tells it; the product is its own, also when it is no longer listed. */
export function SubscriptionDetails({ subscription }: { subscription: Subscription }) {
  const { client, product } = subscription;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Section title="Subscription">
        <Row label="Product">{product.name}</Row>
        <Row label="Plan">{product.plan_name}</Row>
        <Row label="Period">{product.label}</Row>
        <Row label="Price">
          <span className="tabular-nums">{formatMoney(product.price, product.currency)}</span>
        </Row>
        <BillingRows subscription={subscription} />
        <Row label="Created">
          <Day iso={subscription.created_at} />
        </Row>
        <Row label="ID">
          <span className="font-mono text-xs break-all">{subscription.subscription_id}</span>
        </Row>
      </Section>
      <div className="grid gap-4">
        <Section title="Buyer">
          <Row label="Name">{client.full_name}</Row>
          <Row label="Phone">{client.phone}</Row>
          <Row label="Email">{client.email}</Row>
          <Row label="Address">{client.address}</Row>
        </Section>
        {client.billing && (
          <Section title="Billing">
            <Row label="Business">{client.billing.business_name}</Row>
            <Row label="PAN/VAT">{client.billing.pan_vat}</Row>
            <Row label="Email">{client.billing.email}</Row>
            <Row label="Address">{client.billing.address}</Row>
          </Section>
        )}
        {client.shipping && (
          <Section title="Shipping">
            <Row label="Name">{client.shipping.full_name}</Row>
            <Row label="Phone">{client.shipping.phone}</Row>
            <Row label="Email">{client.shipping.email}</Row>
            <Row label="Address">{client.shipping.address}</Row>
          </Section>
        )}
      </div>
    </div>
  );
}

function BillingRows({ subscription }: { subscription: Subscription }) {
  if (isOneTimePurchase(subscription)) return <Row label="Billing">One-time purchase</Row>;
  const { current_period_start: start, current_period_end: end } = subscription;
  const next = subscription.next_billing_cycle;
  return (
    <>
      <Row label="Next billing">
        {next && (
          <>
            <Day iso={next} />{" "}
            <span className="text-muted">
              (<RelativeDay iso={next} />)
            </span>
          </>
        )}
      </Row>
      <Row label="Current period">
        {start && end && (
          <>
            <Day iso={start} /> – <Day iso={end} />
          </>
        )}
      </Row>
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

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-3">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 whitespace-pre-line">
        {children || <span className="text-faint">None</span>}
      </dd>
    </div>
  );
}

export function SubscriptionDetailsSkeleton({ back }: { back: ReactNode }) {
  return (
    <div aria-busy>
      {back}
      <span className="skeleton mb-5 h-8 w-64" />
      <div className="grid gap-4 lg:grid-cols-2">
        <span className="skeleton h-80 rounded-md" />
        <span className="skeleton h-44 rounded-md" />
      </div>
    </div>
  );
}
