"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { Subscription } from "#contract/subscriptions.ts";
import { amountToPay } from "#lib/money/price.ts";
import type { ToPay } from "#lib/format/format.ts";
import { amountsQuery } from "#lib/products/queries.ts";
import { useFormat, useScope } from "#components/context/seller-context.tsx";

type PricedProduct = Pick<Subscription["product"], "pbp_id" | "price" | "currency">;

/** The amount that the checkout asks for today, by product; null until it is loaded. */
export function useToPay(): ((product: PricedProduct) => ToPay) | null {
  const { data } = useQuery(amountsQuery(useScope()));
  return data ? (product) => amountToPay(data, product) : null;
}

/** The amount that the checkout asks for today, formatted; a skeleton while loading. */
export function ProductAmountToPay({ product }: { product: PricedProduct }) {
  const t = useTranslations("format");
  const { data, isPending } = useQuery(amountsQuery(useScope()));
  if (data) return <AmountToPay to_pay={amountToPay(data, product)} />;
  if (isPending) return <span aria-busy className="skeleton inline-block h-4 w-20" />;
  return <span className="text-muted">{t("notKnownYet")}</span>;
}

export function AmountToPay({ to_pay }: { to_pay: ToPay }) {
  const format = useFormat();
  return to_pay.amount === "" ? null : <>{format.toPay(to_pay)}</>;
}
