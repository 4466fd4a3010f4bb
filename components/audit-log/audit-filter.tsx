"use client";

import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import {
  DayRangeFields,
  FilterForm,
  FilterSelect,
  SubscriptionField,
} from "#components/list/filters/filter-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { actionLabel, KNOWN_ACTIONS } from "#lib/audit-log/rules.ts";
import {
  parseAuditSearch,
  auditPath,
  RESULTS,
  type AuditSearch,
} from "#lib/audit-log/search.ts";
import type { Scope } from "#lib/scope.ts";

export interface FilterPerson {
  user_id: string;
  user_name: string | null;
}

interface AuditFilterProps {
  scope: Scope;
  search: AuditSearch;
  people: FilterPerson[];
}

export function AuditFilter({ scope, search, people }: AuditFilterProps) {
  const t = useTranslations("audit");
  const router = useRouter();
  const [isPending, startTransition] = useTransition();

  function show(form: FormData) {
    startTransition(() => router.push(auditPath(scope, parseAuditSearch(form))));
  }

  const { q, person, action, result, subscription, from, to } = search;
  return (
    <FilterForm
      label={t("title")}
      action={auditPath(scope)}
      onFilter={show}
      active={[q, person, action, result, subscription, from, to].filter(Boolean).length}
      className="lg:grid-cols-[2fr_1.4fr_1.6fr_1fr]"
    >
      <TextField
        id="audit-q"
        name="q"
        label={t("filter.words")}
        type="search"
        maxLength={100}
        defaultValue={q ?? ""}
      />
      <FilterSelect
        form="audit"
        name="person"
        label={t("filter.person")}
        all={t("filter.everybody")}
        value={person}
        options={people.map(({ user_id, user_name }) => [user_id, user_name ?? user_id])}
      />
      <FilterSelect
        form="audit"
        name="action"
        label={t("filter.action")}
        all={t("filter.everyAction")}
        value={action}
        options={KNOWN_ACTIONS.map((known) => [known, actionLabel(t, known)])}
      />
      <FilterSelect
        form="audit"
        name="result"
        label={t("filter.result")}
        all={t("filter.everyResult")}
        value={result}
        options={RESULTS.map((known) => [known, t(`results.${known}`)])}
      />
      <SubscriptionField form="audit" value={subscription} />
      <DayRangeFields form="audit" from={from} to={to} />
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
