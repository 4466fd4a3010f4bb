import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { ShareBar } from "#components/ui/charts/progress-bar.tsx";
import type { OfProducts } from "#lib/reports/queries.ts";
import { ReportCard, ListLink, type ReportSummary } from "./report-card.tsx";
import { ScrolledTable } from "./report-table.tsx";
import type { ReportPart, ReadyReport } from "./use-reports.ts";

interface ProductsCardProps {
  part: ReportPart<"products">;
  currency: string;
}

export function ProductsCard({ part, currency }: ProductsCardProps) {
  const t = useTranslations("reports.cards.products");
  const tHeads = useTranslations("reports.heads");
  const tStates = useTranslations("reports.states");
  const format = useFormat();
  const say = ({ figure }: ReadyReport<"products">): ReportSummary => {
    const plans = figure.plans.filter((plan) => plan.currency === currency);
    const largest = Math.max(...plans.map(({ revenue }) => Number(revenue)));
    const money = (amount: string) => format.money(amount, currency);
    return {
      body: (
        <ScrolledTable
          none={t("none")}
          table={{
            label: t("title"),
            heads: [
              tHeads("plan"),
              tStates("active"),
              tStates("due"),
              tHeads("aMonth"),
              tHeads("collected"),
              tHeads("net"),
            ],
            rows: plans.map((plan) => ({
              key: `${plan.product_id} ${plan.plan_name}`,
              cells: [
                <PlanName key="name" {...{ plan, largest }} />,
                format.count(plan.active),
                format.count(plan.due),
                money(plan.revenue),
                money(plan.collected.amount),
                money(plan.collected.net),
              ],
            })),
          }}
        />
      ),
      notes: [
        figure.estimated > 0 && t("estimated", { count: figure.estimated }),
        figure.unknown > 0 && t("unknown", { count: figure.unknown }),
      ],
    };
  };
  return <ReportCard {...{ part, say }} isWide />;
}

interface PlanNameProps {
  plan: OfProducts["plans"][number];
  /** The largest monthly revenue of a plan. */
  largest: number;
}

/** The name with a bar relative to the largest. */
function PlanName({
  plan: { rows, product_name, plan_name, revenue },
  largest,
}: PlanNameProps) {
  const share = largest > 0 ? (100 * Number(revenue)) / largest : 0;
  return (
    <span className="block min-w-40 whitespace-normal">
      <span className="flex">
        <ListLink rows={rows}>{product_name}</ListLink>
      </span>{" "}
      <span className="block text-muted">{plan_name}</span>
      <span className="mt-1 block">
        <ShareBar percent={share} />
      </span>
    </span>
  );
}
