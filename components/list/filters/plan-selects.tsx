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
  const choices = (names: string[], chosen: string | null) =>
    [...new Set(chosen === null ? names : [...names, chosen])]
      .filter(Boolean)
      .map((name) => [name, name] as const);
  return (
    <>
      <FilterSelect
        // Mounts again with the options: a select drops a default value without an option.
        key={`product ${facets.length}`}
        form={form}
        name="product"
        label={t("product")}
        all={t("everyProduct")}
        value={product}
        options={choices(
          facets.map(({ product_name }) => product_name),
          product,
        )}
      />
      <FilterSelect
        key={`plan ${facets.length}`}
        form={form}
        name="plan"
        label={t("plan")}
        all={t("everyPlan")}
        value={plan}
        options={choices(
          facets.map(({ plan_name }) => plan_name),
          plan,
        )}
      />
    </>
  );
}
