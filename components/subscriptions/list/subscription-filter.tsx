"use client";

import { useTranslations } from "next-intl";
import { FilterSelect } from "#components/list/filters/filter-fields.tsx";
import { FilterForm } from "#components/list/filters/filter-form.tsx";
import { PlanSelects } from "#components/list/filters/plan-selects.tsx";
import { pushUrl } from "#components/list/url-link.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/forms/text-field.tsx";
import { chipsOf, SAID_BY_TAB } from "#lib/subscriptions/query-line.ts";
import { SORTS, type FilterName } from "#lib/search-index/query/subscription-filters.ts";
import {
  filtersOf,
  subscriptionsPath,
  parseSubscriptionSearch,
  type SubscriptionSearch,
} from "#lib/subscriptions/search.ts";

const FORM = "subscriptions";
/** Asked by the line and by the figures; they stay as they are. */
const HAPPENED_ENDS = (["started", "lost", "saved", "paid"] as const).flatMap(
  (field) => [`${field}_from`, `${field}_to`] as const,
);

/** The search line's filters as a form. */
export function SubscriptionFilter({ search }: { search: SubscriptionSearch }) {
  const t = useTranslations("finding.filter");
  const scope = useScope();
  const { status, page_size, price_over, price_under, sort } = search;
  const chips = chipsOf(filtersOf(search)).filter(({ field }) => !SAID_BY_TAB.includes(field));
  function show(form: FormData) {
    pushUrl(subscriptionsPath(scope, { ...parseSubscriptionSearch(form), status, page_size }));
  }
  return (
    <FilterForm
      label={t("label")}
      action={subscriptionsPath(scope, {})}
      onFilter={show}
      active={chips.length + (sort === null ? 0 : 1)}
      isFolded
    >
      {status && <input type="hidden" name="status" value={status} />}
      {search.kind && <input type="hidden" name="kind" value={search.kind} />}
      {price_over && <input type="hidden" name="price_over" value={price_over} />}
      {HAPPENED_ENDS.map(
        (end) =>
          search[end] && <input key={end} type="hidden" name={end} value={search[end]} />,
      )}
      {price_under && <input type="hidden" name="price_under" value={price_under} />}
      <PlanSelects form={FORM} product={search.product} plan={search.plan} />
      <Range {...{ search }} from="next_from" to="next_to" type="date" />
      <Range {...{ search }} from="created_from" to="created_to" type="date" />
      <Range {...{ search }} from="price_from" to="price_to" inputMode="decimal" />
      <SortSelect sort={sort} />
      <Button type="submit" look="primary" className="col-span-2">
        {t("show")}
      </Button>
    </FilterForm>
  );
}

type EndName = Exclude<
  Extract<FilterName, `${string}_from` | `${string}_to`>,
  (typeof HAPPENED_ENDS)[number]
>;

interface RangeProps {
  search: SubscriptionSearch;
  from: EndName;
  to: EndName;
  type?: "date";
  inputMode?: "decimal";
}

function Range({ search, from, to, ...field }: RangeProps) {
  const t = useTranslations("finding.filter");
  return [from, to].map((name) => (
    <TextField
      key={name}
      id={`${FORM}-${name}`}
      name={name}
      label={t(name)}
      autoComplete="off"
      defaultValue={search[name] ?? ""}
      {...field}
    />
  ));
}

function SortSelect({ sort }: Pick<SubscriptionSearch, "sort">) {
  const t = useTranslations("finding.filter");
  const tColumn = useTranslations("subscriptions.columns");
  const options = SORTS.flatMap((column) => [
    [column, t("upwards", { column: tColumn(column) })] as const,
    [`-${column}`, t("downwards", { column: tColumn(column) })] as const,
  ]);
  return (
    <div className="col-span-2">
      <FilterSelect
        form={FORM}
        name="sort"
        label={t("sort")}
        all={t("usual")}
        value={sort}
        options={options}
      />
    </div>
  );
}
