"use client";

import { type ColumnDef, createColumnHelper } from "@tanstack/react-table";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { SortHead, type TableShape } from "#components/list/data-table.tsx";
import { Day } from "#components/values/day.tsx";
import { useFormat } from "#components/context/seller-context.tsx";
import type { Scope } from "#lib/scope.ts";
import type { SubscriptionColumn } from "#lib/subscriptions/columns.ts";
import type { ListedSubscription } from "#lib/subscriptions/queries.ts";
import { asciiDigits } from "#lib/text/fold-text.ts";
import type { Translate } from "#lib/i18n/message.ts";
import { SORTS } from "#lib/search-index/query/subscription-filters.ts";
import {
  type SubscriptionSearch,
  nextSort,
  subscriptionsPath,
} from "#lib/subscriptions/search.ts";
import { isOneTimePurchase, nextBilling } from "#lib/money/payable.ts";
import { SubscriptionLink } from "#components/subscriptions/subscription-link.tsx";
import { SubscriptionStatusBadge } from "#components/subscriptions/subscription-status-badge.tsx";

const helper = createColumnHelper<TableShape, ListedSubscription>();
type Column = ColumnDef<TableShape, ListedSubscription>;

const CELLS: Record<SubscriptionColumn, (subscription: ListedSubscription) => ReactNode> = {
  buyer: (subscription) => <SubscriptionLink subscription={subscription} />,
  phone: ({ client }) => <PhoneLink phone={client.phone} />,
  product: ({ product }) => <ProductCell product={product} />,
  price: ({ product }) => <Price product={product} />,
  status: ({ status }) => <SubscriptionStatusBadge status={status} />,
  next_billing: (subscription) => <NextBillingCell subscription={subscription} />,
  created: ({ created_at }) => <Day iso={created_at} />,
};

// On narrow screens the phone number is below the name, since its column is hidden.
const buyerWithPhone = (subscription: ListedSubscription) => (
  <>
    {CELLS.buyer(subscription)}
    {CELLS.phone(subscription)}
  </>
);

export function columnsFor(
  t: Translate<"subscriptions">,
  shown: readonly SubscriptionColumn[],
): Column[] {
  return shown.map((id) => {
    const cell = id === "buyer" && shown.includes("phone") ? buyerWithPhone : CELLS[id];
    return helper.display({
      id,
      header: t(`columns.${id}`),
      cell: ({ row }) => cell(row.original),
    });
  });
}

interface Sorting {
  scope: Scope;
  search: SubscriptionSearch;
}

export function sortedColumns(columns: Column[], { scope, search }: Sorting): Column[] {
  return columns.map((column) => {
    const by = SORTS.find((known) => known === column.id);
    if (!by) return column;
    const { sort } = search;
    const direction =
      sort === by ? "ascending" : sort === `-${by}` ? "descending" : ("none" as const);
    const href = subscriptionsPath(scope, { ...search, sort: nextSort(sort, by), page: 1 });
    const words = column.header as string;
    const header = () => <SortHead href={href}>{words}</SortHead>;
    return { ...column, meta: { ...column.meta, sort: direction }, header } as Column;
  });
}

function PhoneLink({ phone }: { phone: string }) {
  if (!phone) return null;
  return <a href={`tel:${asciiDigits(phone).replaceAll(/[^+\d]/g, "")}`}>{phone}</a>;
}

function ProductCell({ product }: Pick<ListedSubscription, "product">) {
  return (
    <>
      <span title={product.name}>{product.name}</span>
      <small>{[product.plan_name, product.label].filter(Boolean).join(" · ")}</small>
    </>
  );
}

function Price({ product }: Pick<ListedSubscription, "product">) {
  return useFormat().money(product.price, product.currency);
}

function NextBillingCell({ subscription }: { subscription: ListedSubscription }) {
  const t = useTranslations("subscriptions");
  const format = useFormat();
  if (isOneTimePurchase(subscription))
    return t.rich("oneTimeCell", {
      main: (words) => words,
      note: (words) => <small>{words}</small>,
    });
  const next = nextBilling(subscription);
  if (!next) {
    return (
      <span className="text-faint">
        <span aria-hidden>–</span>
        <span className="sr-only">{t("noBilling")}</span>
      </span>
    );
  }
  return (
    <>
      <span data-due={subscription.status === "due" ? "" : undefined}>
        {format.relativeDay(next)}
      </span>
      <Day iso={next} />
    </>
  );
}
