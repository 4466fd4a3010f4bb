"use client";

import { useTranslations } from "next-intl";
import { useFormat } from "#components/context/seller-context.tsx";
import type { VerifiedPayment } from "#lib/payments/queries.ts";

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
        <span className="block text-xs text-muted">
          {t("vatWithin", { money: format.money(vat, currency ?? "") })}
        </span>
      )}
      {method !== null && (
        <span className="block text-xs text-muted">{t("paidWith", { method })}</span>
      )}
    </>
  );
}
