import { useTranslations } from "next-intl";
import type { PeriodDraft, ProductDraft } from "#lib/products/draft.ts";
import { intervalWords } from "#lib/products/rules.ts";

/** Gives plans and periods without a name the one that their fields show. */
export function useFillNames(): (draft: ProductDraft) => ProductDraft {
  const names = useDefaultNames();
  return (draft) => ({
    ...draft,
    plans: draft.plans.map((plan) => ({
      ...plan,
      plan_name: plan.plan_name.trim() || names.plan,
      periods: plan.periods.map((period) => ({
        ...period,
        label: period.label.trim() || names.period(period),
      })),
    })),
  });
}

type Interval = Pick<PeriodDraft, "interval_type" | "interval_count">;

/** Names of plans and periods that nobody has named. */
export function useDefaultNames() {
  const t = useTranslations("products.form");
  const format = useTranslations("format");
  return {
    plan: t("plan.usual"),
    period: ({ interval_type, interval_count }: Interval) => {
      const words = intervalWords(format, {
        interval_type,
        interval_count: Number(interval_count) || 1,
      });
      return words.charAt(0).toUpperCase() + words.slice(1);
    },
  };
}
