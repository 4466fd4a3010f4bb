"use client";

import { useTranslations } from "next-intl";
import type { ToPay } from "#lib/price.ts";
import { useFormat } from "./use-format.ts";

/** What is to be paid, or that only the list price is known. */
export function Amount({ to_pay: { amount, currency, is_list_price } }: { to_pay: ToPay }) {
  const t = useTranslations("format");
  const format = useFormat();
  if (amount === "") return null;
  const money = format.money(amount, currency);
  return is_list_price ? <>{t("listPrice", { money })}</> : <>{money}</>;
}
