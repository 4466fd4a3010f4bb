"use client";

import { useTranslations } from "next-intl";
import {
  DayRangeFields,
  FilterForm,
  FilterSelect,
  SubscriptionField,
  TextFilter,
} from "#components/list/filters/filter-form.tsx";
import {
  parseAuditSearch,
  auditPath,
  AUDIT_RESULTS,
  type AuditSearch,
} from "#lib/audit-log/search.ts";
import { useScope } from "#components/context/seller-context.tsx";

export interface FilterOptions {
  people: { user_id: string; user_name: string | null }[];
  /** The code names and labels of all actions. */
  actions: [name: string, label: string][];
}

interface AuditFilterProps extends FilterOptions {
  search: AuditSearch;
}

export function AuditFilter({ search, people, actions }: AuditFilterProps) {
  const t = useTranslations("audit");
  const scope = useScope();
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
        options={actions}
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
