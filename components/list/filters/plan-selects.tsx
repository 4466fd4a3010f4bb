import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useScope } from "#components/context/seller-context.tsx";
import { facetsQuery } from "#lib/subscriptions/queries.ts";
import { FilterSelect } from "./filter-form.tsx";

interface PlanSelectsProps {
  /** The prefix of the fields' ids. */
  form: string;
  product: string | null;
  plan: string | null;
}

/** Filters by product and plan, with the names that the search index has. */
export function PlanSelects({ form, product, plan }: PlanSelectsProps) {
  const t = useTranslations("finding.filter");
  const { data: facets = [] } = useQuery(facetsQuery(useScope()));
  const selects = [
    { name: "product", all: t("everyProduct"), value: product },
    { name: "plan", all: t("everyPlan"), value: plan },
  ] as const;
  return selects.map(({ name, all, value }) => {
    const names = [...facets.map((facet) => facet[`${name}_name`]), value ?? ""];
    return (
      <FilterSelect
        // The key remounts the select when the options arrive: a select drops a default value
        // without an option.
        key={`${name} ${facets.length}`}
        {...{ form, name, all, value }}
        label={t(name)}
        options={[...new Set(names)].filter(Boolean).map((one) => [one, one])}
      />
    );
  });
}
