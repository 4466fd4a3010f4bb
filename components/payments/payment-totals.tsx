"use client";

import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { Card } from "#components/ui/card.tsx";

export interface Totals {
  totals: { currency: string; count: number; amount: string; fee: string; net: string }[];
  unknown: number;
}

/** Totals of all matching payments, by currency. */
export function PaymentTotals({ totals, unknown }: Totals) {
  const t = useTranslations("payments.totals");
  const format = useFormat();
  return (
    <section aria-label={t("label")} className="mb-4 grid gap-2">
      {totals.map(({ currency, count, amount, fee, net }) => (
        <Card key={currency} className="px-4 py-3">
          <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
            <Total label={t("payments")} value={format.count(count)} />
            <Total label={t("amount")} value={format.money(amount, currency)} />
            <Total label={t("fee")} value={format.money(fee, currency)} />
            <Total label={t("net")} value={format.money(net, currency)} />
          </dl>
        </Card>
      ))}
      {unknown > 0 && <p className="text-sm text-muted">{t("unknown", { count: unknown })}</p>}
    </section>
  );
}

function Total({ label, value }: { label: string; value: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="text-lg font-semibold wrap-anywhere tabular-nums">{value}</dd>
    </div>
  );
}
