import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useScope } from "#components/context/seller-context.tsx";
import { facetsQuery } from "#lib/subscriptions/queries.ts";
import { FilterSelect } from "./filter-form.tsx";

interface PlanSelectsProps {
  /** Of the form; the ids of the fields begin with it. */
  form: string;
  product: string | null;
  plan: string | null;
}

/** The products and plans that copied subscriptions are of, to narrow what is shown. */
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
        // Anew when they are there: a select forgets a choice that it has no option for.
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
