"use client";

import { type ColumnDef, createColumnHelper } from "@tanstack/react-table";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Subscription } from "#contract/subscriptions.ts";
import { SortHead, type TableShape } from "#components/list/data-table.tsx";
import { Day, RelativeDay } from "#components/values/day.tsx";
import { useFormat } from "#components/context/seller-context.tsx";
import type { Scope } from "#lib/scope.ts";
import type { SubscriptionColumn } from "#lib/subscriptions/columns.ts";
import { cn } from "#lib/cn.ts";
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

const helper = createColumnHelper<TableShape, Subscription>();
type Column = ColumnDef<TableShape, Subscription>;

const define = (
  className: string,
  cell: (subscription: Subscription) => ReactNode,
  alignRight = false,
) => ({
  meta: { className, alignRight },
  cell: ({ row }: { row: { original: Subscription } }) => cell(row.original),
});

const DEFINITIONS: Record<SubscriptionColumn, ReturnType<typeof define>> = {
  buyer: define("md:w-[19%] wide:w-[18%]", (subscription) => (
    <SubscriptionLink subscription={subscription} />
  )),
  phone: define(
    "md:max-wide:hidden wide:w-34 max-md:col-start-2 max-md:row-start-2 max-md:text-right max-md:[&_a]:-my-0.5",
    ({ client }) => <PhoneLink phone={client.phone} />,
  ),
  product: define("max-md:col-start-1 max-md:row-start-2", (subscription) => (
    <ProductCell subscription={subscription} />
  )),
  price: define(
    "md:w-28 lg:w-32 max-md:col-start-2 max-md:row-start-1",
    ({ product }) => <Price product={product} />,
    true,
  ),
  status: define(
    "md:w-42 lg:w-44 max-md:col-start-1 max-md:row-start-3 max-md:mt-1",
    ({ status }) => <SubscriptionStatusBadge status={status} />,
  ),
  next_billing: define(
    "md:w-25 lg:w-29 xl:w-32 max-md:col-start-2 max-md:row-start-3 max-md:mt-1 max-md:text-right",
    (subscription) => <NextBillingCell subscription={subscription} />,
  ),
  created: define("w-28 max-xl:hidden", ({ created_at }) => (
    <span className="text-sm text-muted">
      <Day iso={created_at} />
    </span>
  )),
};

// On narrow screens the phone number is below the name.
const BUYER_WITH_PHONE = define(DEFINITIONS.buyer.meta.className, (subscription) => (
  <>
    <SubscriptionLink subscription={subscription} />
    <span className="hidden text-xs md:max-wide:block [&_a]:-my-1">
      <PhoneLink phone={subscription.client.phone} />
    </span>
  </>
));

export function columnsFor(
  t: Translate<"subscriptions">,
  shown: readonly SubscriptionColumn[],
): Column[] {
  return shown.map((id) =>
    helper.display({
      ...(id === "buyer" && shown.includes("phone") ? BUYER_WITH_PHONE : DEFINITIONS[id]),
      id,
      header: t(`columns.${id}`),
    }),
  );
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
    const header = () => <SortHead {...{ href, direction }}>{words}</SortHead>;
    return { ...column, meta: { ...column.meta, sort: direction }, header } as Column;
  });
}

function PhoneLink({ phone }: { phone: string }) {
  if (!phone) return null;
  return (
    <a
      href={`tel:${asciiDigits(phone).replaceAll(/[^+\d]/g, "")}`}
      className="relative z-1 inline-flex min-h-6 max-w-full items-center rounded text-muted tabular-nums hover:text-ink hover:underline"
    >
      <span className="truncate">{phone}</span>
    </a>
  );
}

function ProductCell({ subscription: { product } }: { subscription: Subscription }) {
  return (
    <>
      <span
        className="block truncate md:max-lg:line-clamp-2 md:max-lg:whitespace-normal"
        title={product.name}
      >
        {product.name}
      </span>
      <span className="block truncate text-xs text-muted">
        {[product.plan_name, product.label].filter(Boolean).join(" · ")}
      </span>
    </>
  );
}

function Price({ product }: Pick<Subscription, "product">) {
  const format = useFormat();
  return (
    <span className="block truncate tabular-nums">
      {format.money(product.price, product.currency)}
    </span>
  );
}

function NextBillingCell({ subscription }: { subscription: Subscription }) {
  const t = useTranslations("subscriptions");
  if (isOneTimePurchase(subscription))
    return t.rich("oneTimeCell", {
      main: (words) => <span className="block">{words}</span>,
      note: (words) => <span className="block text-xs text-muted">{words}</span>,
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
      <span className={cn("block", subscription.status === "due" && "font-medium text-due")}>
        <RelativeDay iso={next} />
      </span>
      <span className="block text-xs text-muted">
        <Day iso={next} />
      </span>
    </>
  );
}
