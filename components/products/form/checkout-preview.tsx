"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { PeriodPrice } from "#components/products/product-plans.tsx";
import { useFormat, useSeller } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { SelectField } from "#components/ui/forms/fields.tsx";
import { CheckoutHeading, PayButton } from "#components/values/checkout-look.tsx";
import { Day } from "#components/values/day.tsx";
import type { CheckoutLook } from "#lib/format/checkout-look.ts";
import { priceSteps } from "#lib/money/price.ts";
import {
  amountProblem,
  listedPeriodOf,
  vatOf,
  type ProductDraft,
} from "#lib/products/draft.ts";
import { intervalWords } from "#lib/products/rules.ts";

interface CheckoutPreviewProps {
  draft: ProductDraft;
  /** The seller's day by the service's clock, YYYY-MM-DD. */
  today: string;
  look: CheckoutLook | null;
}

/** The amount that the checkout will ask for, calculated by the same function as in the service. */
export function CheckoutPreview({ draft, today, look }: CheckoutPreviewProps) {
  const t = useTranslations("products.form.preview");
  const format = useTranslations("format");
  const { money } = useFormat();
  const { name: seller } = useSeller();
  const [chosen, setChosen] = useState("");
  const periods = draft.plans.flatMap((plan) =>
    plan.periods
      .filter(
        ({ is_archived, is_current, price }) =>
          !is_archived && is_current && amountProblem(price) === null,
      )
      .map((period) => ({ plan, key: period.key, period: listedPeriodOf(period) })),
  );
  const shown = periods.find(({ key }) => key === chosen) ?? periods[0];
  const { vat_percentage, ...kind } = vatOf(draft);
  const vat = { ...kind, vat_percentage: Number(vat_percentage) || 0 };
  return (
    <Card className="grid gap-3 p-4 sm:p-5">
      <CardTitle>{t("title")}</CardTitle>
      {periods.length > 1 && (
        <SelectField
          id="preview-period"
          label={t("period")}
          value={shown?.key}
          onChange={({ target }) => setChosen(target.value)}
          options={periods.map(({ key, plan, period }) => [
            key,
            `${plan.plan_name} · ${period.label}`,
          ])}
        />
      )}
      {shown ? (
        <>
          <CheckoutHeading
            seller={look?.checkout_name || seller}
            logo={look?.checkout_logo}
            image={draft.images[0]}
            product={draft.name || t("unnamed")}
            plan={`${shown.plan.plan_name} · ${intervalWords(format, shown.period)}`}
          />
          <PeriodPrice vat={vat} period={shown.period} today={today} />
          <ul className="grid gap-1 border-t pt-3 text-sm empty:hidden">
            {priceSteps({ vat, plan: [{ ...PLAN, billing_periods: [shown.period] }] })
              .filter(({ since }) => since !== null && since > today)
              .map(({ since, amount, currency }) => (
                <li key={since} className="flex justify-between gap-3">
                  <span className="text-muted">
                    {t.rich("since", { day: () => since && <Day iso={since} /> })}
                  </span>
                  <span className="whitespace-nowrap tabular-nums">
                    {amount !== null && money(amount, currency)}
                  </span>
                </li>
              ))}
          </ul>
          <PayButton color={look?.checkout_color} />
        </>
      ) : (
        <p className="text-muted">{t("none")}</p>
      )}
    </Card>
  );
}

const PLAN = { plan_id: "", plan_name: "", description: "" };
