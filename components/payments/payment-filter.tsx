"use client";

import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { DayRangeFields, FilterForm } from "#components/list/filters/filter-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import type { Scope } from "#lib/scope.ts";
import { parsePaymentSearch, paymentsPath, type PaymentSearch } from "#lib/payments/search.ts";

export function PaymentFilter({ scope, search }: { scope: Scope; search: PaymentSearch }) {
  const t = useTranslations("payments");
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const { q, from, to } = search;
  return (
    <FilterForm
      label={t("title")}
      action={paymentsPath(scope)}
      onFilter={(form) =>
        startTransition(() => router.push(paymentsPath(scope, parsePaymentSearch(form))))
      }
      active={[q, from, to].filter(Boolean).length}
      className="lg:grid-cols-[2fr_1fr_1fr_auto]"
    >
      <TextField
        id="payments-q"
        name="q"
        label={t("filter.words")}
        type="search"
        maxLength={100}
        spellCheck={false}
        autoComplete="off"
        defaultValue={q ?? ""}
      />
      <DayRangeFields form="payments" from={from} to={to} />
      <Button
        type="submit"
        isPending={isPending}
        className="h-9 self-end max-md:h-11 max-md:w-full"
      >
        {!isPending && <Search aria-hidden className="size-4" />}
        {t("filter.show")}
      </Button>
    </FilterForm>
  );
}
