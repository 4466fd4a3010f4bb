"use client";

import { useTranslations } from "next-intl";
import { useFormat } from "#components/context/seller-context.tsx";
import type { VerifiedPayment } from "#lib/payments/queries.ts";
import { paidWithWord } from "#lib/payments/rules.ts";

interface PaidDetailsProps {
  payment: Pick<VerifiedPayment, "vat" | "method" | "currency">;
}

/** A payment's VAT and method, if the service reports them. */
export function PaidDetails({ payment: { vat, method, currency } }: PaidDetailsProps) {
  const t = useTranslations("format");
  const format = useFormat();
  return (
    <>
      {vat !== null && (
        <small>{t("vatWithin", { money: format.money(vat, currency ?? "") })}</small>
      )}
      {method !== null && <small>{t("paidWith", { method: paidWithWord(method) })}</small>}
    </>
  );
}
