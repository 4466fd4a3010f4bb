"use client";

import { useTranslations } from "next-intl";
import { FilterForm, FilterSelect, TextFilter } from "#components/list/filters/filter-form.tsx";
import { billsPath, parseBillSearch, type BillSearch } from "#lib/payments/bills/search.ts";
import type { Scope } from "#lib/scope.ts";

interface BillFilterProps {
  scope: Scope;
  search: BillSearch;
  years: string[];
  /** YYYY-MM, and the month in words. */
  months: [month: string, words: string][];
}

export function BillFilter({ scope, search, years, months }: BillFilterProps) {
  const t = useTranslations("bills.list");
  const { q, year, month } = search;
  return (
    <FilterForm
      label={t("title")}
      action={billsPath(scope)}
      pathFor={(form) => billsPath(scope, parseBillSearch(form))}
      active={[q, year, month].filter(Boolean).length}
      className="lg:grid-cols-[2fr_1fr_1fr_auto]"
      isServerPage
    >
      <TextFilter form="bills" label={t("filter.number")} value={q} />
      <FilterSelect
        form="bills"
        name="year"
        label={t("filter.year")}
        all={t("filter.everyYear")}
        value={year}
        options={years.map((one) => [one, one])}
      />
      <FilterSelect
        form="bills"
        name="month"
        label={t("filter.month")}
        all={t("filter.everyMonth")}
        value={month}
        options={months}
      />
    </FilterForm>
  );
}
