"use client";

import { useTranslations } from "next-intl";
import {
  DayRangeFields,
  FilterForm,
  FilterSelect,
  SubscriptionField,
  TextFilter,
} from "#components/list/filters/filter-form.tsx";
import { actionLabel, KNOWN_ACTIONS } from "#lib/audit-log/rules.ts";
import {
  parseAuditSearch,
  auditPath,
  AUDIT_RESULTS,
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
  const { q, person, action, result, subscription, from, to } = search;
  return (
    <FilterForm
      label={t("title")}
      action={auditPath(scope)}
      pathFor={(form) => auditPath(scope, parseAuditSearch(form))}
      active={[q, person, action, result, subscription, from, to].filter(Boolean).length}
      className="lg:grid-cols-[2fr_1.4fr_1.6fr_1fr]"
      isServerPage
    >
      <TextFilter form="audit" label={t("filter.words")} value={q} />
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
        options={AUDIT_RESULTS.map((known) => [known, t(`results.${known}`)])}
      />
      <SubscriptionField form="audit" value={subscription} />
      <DayRangeFields form="audit" from={from} to={to} />
    </FilterForm>
  );
}
