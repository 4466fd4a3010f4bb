import { CalendarOff } from "lucide-react";
import { useTranslations } from "next-intl";
import type { Product } from "#contract/products.ts";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { PlanPeriod } from "./plan-period.tsx";

interface ProductPlansProps {
  product: Product;
  /** By the service's clock, YYYY-MM-DD. */
  today: string;
}

export function ProductPlans({ product, today }: ProductPlansProps) {
  const t = useTranslations("products");
  if (product.plan.length === 0) {
    return (
      <Card>
        <StatePanel
          icon={CalendarOff}
          title={t("plans.noneTitle")}
          text={t("plans.noneText")}
        />
      </Card>
    );
  }
  return (
    <div className="grid min-w-0 gap-4">
      {product.plan.map((plan) => (
        <Card key={plan.plan_id}>
          <div className="p-4 sm:px-5">
            <CardTitle>{plan.plan_name || t("plans.unnamed")}</CardTitle>
            {plan.description && <p className="mt-0.5 text-muted">{plan.description}</p>}
          </div>
          {plan.billing_periods.length === 0 && (
            <p className="border-t px-4 py-3 text-muted sm:px-5">{t("plans.noPeriod")}</p>
          )}
          <ul className="divide-y border-t empty:hidden">
            {plan.billing_periods.map((period) => (
              <PlanPeriod key={period.pbp_id} {...{ product, period, today }} />
            ))}
          </ul>
        </Card>
      ))}
    </div>
  );
}
