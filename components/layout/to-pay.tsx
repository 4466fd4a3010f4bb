"use client";

import { useQuery } from "@tanstack/react-query";
import type { Subscription } from "#contract/subscriptions.ts";
import { toPayOf, type ToPay } from "#lib/price.ts";
import { amountsQuery } from "#lib/products/queries.ts";
import { Amount } from "./amount.tsx";
import { useScope } from "./seller-context.tsx";

type PricedProduct = Pick<Subscription["product"], "pbp_id" | "price" | "currency">;

/** What the checkout asks for today, of any product; null until that is known. */
export function useToPay(): ((product: PricedProduct) => ToPay) | null {
  const { data, isPending } = useQuery(amountsQuery(useScope()));
  return isPending ? null : (product) => toPayOf(data ?? {}, product);
}

/** The same as an amount, or that only the list price is known. */
export function ToPayAmount({ product }: { product: PricedProduct }) {
  const toPay = useToPay();
  if (toPay === null) return <span aria-busy className="skeleton inline-block h-4 w-20" />;
  return <Amount to_pay={toPay(product)} />;
}
