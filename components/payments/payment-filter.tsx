"use client";

import { useTranslations } from "next-intl";
import {
  DayRangeFields,
  FilterForm,
  TextFilter,
} from "#components/list/filters/filter-form.tsx";
import { parsePaymentSearch, type PaymentSearch, paymentsPath } from "#lib/payments/search.ts";
import type { Scope } from "#lib/scope.ts";

export function PaymentFilter({ scope, search }: { scope: Scope; search: PaymentSearch }) {
  const t = useTranslations("payments");
  const { q, from, to } = search;
  return (
    <FilterForm
      label={t("title")}
      action={paymentsPath(scope)}
      pathFor={(form) =>
        paymentsPath(scope, { ...parsePaymentSearch(form), customer: search.customer })
      }
      active={[q, from, to].filter(Boolean).length}
      className="lg:grid-cols-[2fr_1fr_1fr_auto]"
      isServerPage
    >
      <TextFilter form="payments" label={t("filter.words")} value={q} />
      <DayRangeFields form="payments" from={from} to={to} />
    </FilterForm>
  );
}
