"use client";

import { createColumnHelper } from "@tanstack/react-table";
import type { Subscription } from "#contract/subscriptions.ts";
import type { TableShape } from "#components/data-table/data-table.tsx";
import { cn } from "#lib/cn.ts";
import { formatMoney } from "#lib/format.ts";
import { isOneTimePurchase } from "#lib/subscriptions/rules.ts";
import { Day, RelativeDay } from "./day.tsx";
import { SubscriptionLink } from "./subscription-link.tsx";
import { SubscriptionStatusBadge } from "./subscription-status-badge.tsx";

const helper = createColumnHelper<TableShape, Subscription>();

export const subscriptionColumns = helper.columns([
  helper.display({
    id: "buyer",
    header: "Buyer",
    meta: { className: "md:w-[21%] lg:w-[24%]" },
    cell: ({ row: { original } }) => (
      <>
        <SubscriptionLink subscription={original} />
        <span className="block truncate text-xs text-muted tabular-nums">
          {original.client.phone}
        </span>
      </>
    ),
  }),
  helper.display({
    id: "product",
    header: "Product",
    meta: { className: "max-md:col-start-1 max-md:row-start-2" },
    cell: ({ row: { original } }) => <ProductCell subscription={original} />,
  }),
  helper.display({
    id: "price",
    header: "Price",
    meta: {
      className: "md:w-29 lg:w-36 max-md:col-start-2 max-md:row-start-1",
      alignRight: true,
    },
    cell: ({ row: { original } }) => (
      <span className="block truncate tabular-nums">
        {formatMoney(original.product.price, original.product.currency)}
      </span>
    ),
  }),
  helper.display({
    id: "status",
    header: "Status",
    meta: {
      className: "md:w-42 lg:w-44 max-md:col-start-1 max-md:row-start-3 max-md:mt-1",
    },
    cell: ({ row: { original } }) => <SubscriptionStatusBadge status={original.status} />,
  }),
  helper.display({
    id: "next_billing",
    header: "Next billing",
    meta: {
      className:
        "md:w-26 lg:w-36 max-md:col-start-2 max-md:row-start-3 max-md:mt-1 max-md:text-right",
    },
    cell: ({ row: { original } }) => <NextBillingCell subscription={original} />,
  }),
  helper.display({
    id: "created",
    header: "Created",
    meta: { className: "w-28 max-lg:hidden" },
    cell: ({ row: { original } }) => (
      <span className="text-sm text-muted">
        <Day iso={original.created_at} />
      </span>
    ),
  }),
]);

function ProductCell({ subscription: { product } }: { subscription: Subscription }) {
  return (
    <>
      <span className="block truncate" title={product.name}>
        {product.name}
      </span>
      <span className="block truncate text-xs text-muted">
        {[product.plan_name, product.label].filter(Boolean).join(" · ")}
      </span>
    </>
  );
}

function NextBillingCell({ subscription }: { subscription: Subscription }) {
  if (isOneTimePurchase(subscription)) {
    return (
      <>
        <span className="block">One-time</span>{" "}
        <span className="block text-xs text-muted">purchase</span>
      </>
    );
  }
  const { next_billing_cycle } = subscription;
  if (!next_billing_cycle) {
    return (
      <span className="text-faint">
        <span aria-hidden>–</span>
        <span className="sr-only">None</span>
      </span>
    );
  }
  return (
    <>
      <span className={cn("block", subscription.status === "due" && "font-medium text-due")}>
        <RelativeDay iso={next_billing_cycle} />
      </span>
      <span className="block text-xs text-muted">
        <Day iso={next_billing_cycle} />
      </span>
    </>
  );
}
